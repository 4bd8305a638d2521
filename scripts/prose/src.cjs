const { join } = require('node:path');

/** How textlint checks comments and strings of TypeScript; the rules in `scripts/prose/rules` are added by the command line. */
module.exports = { plugins: { [join(__dirname, 'typescript.js')]: true }, rules: {} };
