// The game as a file.
import type { GameOnScreen } from './game.svelte';

export async function download(game: GameOnScreen): Promise<void> {
  const save = await game.save().catch((e: unknown) => game.tell(e));
  if (!save) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(save);
  link.download = `${game.opened?.board.scenario.id ?? 'game'}.save`;
  link.click();
  URL.revokeObjectURL(link.href);
}
