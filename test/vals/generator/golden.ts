export const OPTIONS = { users: 8, vals: 80, runs: 1500, seed: 42 };

/**
 * SHA-256 of the dataset of these options. Any change to the generator changes it: update it, and say in the changelog
 * that datasets differ from the datasets of earlier versions.
 */
export const GOLDEN = 'c07d6d266ec37c0e14f76e5c4df3eea7a9b4a8056910f4d201bb500c6b8e211e';

/** The number of projects in addition, and the SHA-256 of them with their commits. */
export const PROJECTS = 40;
export const GOLDEN_PROJECTS = 'f731744d392f95fa725dca1d368513877a2739c61a0e3a929148c492f7d8ba40';
