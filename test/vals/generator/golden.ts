export const OPTIONS = { users: 8, vals: 80, runs: 1500, seed: 42 };

/**
 * SHA-256 of the dataset of these options. Any change to the generator changes it: update it, and say in the changelog
 * that datasets differ from the datasets of earlier versions.
 */
export const GOLDEN = 'c07d6d266ec37c0e14f76e5c4df3eea7a9b4a8056910f4d201bb500c6b8e211e';
