/** The descriptions of options that a command takes without the table. */
export const FIXTURES_TEXT = 'Folder, file or dataset';
export const GENERATE_TEXT = 'Generated data: users=50,seed=42; vals, projects, runs, days, company, people';
export const PROJECT_TEXT = 'Add a folder as a project of a user: ada/site=./site (repeatable)';
