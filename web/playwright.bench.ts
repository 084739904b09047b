import usual from './playwright.config';

export default { ...usual, testDir: 'bench', timeout: 300_000 };
