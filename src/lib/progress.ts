/** The progress of loading seed data. */
export interface Progress {
  /** Files are read or a dataset is generated, then the records are loaded. */
  readonly step: 'reading' | 'generating' | 'loading';
  /** Completed fraction of the step, 0 to 1. */
  readonly fraction: number;
}

export type OnProgress = (progress: Progress) => void;
