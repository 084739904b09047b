// Puts a text where it can be pasted from. The clipboard is only there where the page came over
// HTTPS or from this computer; elsewhere the field it stands in is marked and copied the old way.
export async function copy(text: string, field: HTMLInputElement | undefined): Promise<boolean> {
  const written = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (await written) return true;
  field?.focus();
  field?.select();
  return !!field && document.execCommand('copy');
}
