// What a bundler for browsers takes in place of the emulator.
throw new Error(
  'val-emulator runs in Node. In a browser, connect to a running emulator: import { connect } from "val-emulator/client".',
);
