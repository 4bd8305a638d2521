// Loaded before a restarted emulator by scripts/dev.js: "Restarted." replaces its banner, which is one write.

const { stdout } = process;
const write = stdout.write.bind(stdout);
stdout.write = (text, ...rest) => {
  const isBanner = typeof text === 'string' && text.includes('Ctrl-C to stop');
  if (isBanner) stdout.write = write;
  return write(isBanner ? 'Restarted.\n' : text, ...rest);
};
