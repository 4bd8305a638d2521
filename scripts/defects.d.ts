export const DEFECTS: readonly (readonly [name: string, file: string, from: string, to: string])[];
