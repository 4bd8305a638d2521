/** How textlint checks Markdown; the rules in `scripts/prose/rules` are added by the command line. */
module.exports = {
  rules: {
    // Names of products and their spelling, as they come with the rule, except for words that are keys or plural here.
    terminology: {
      exclude: [
        'ID',
        "id['’]?s",
        'host[- ]name(s)?',
        'cURL',
        'indexes\\b',
        "API['’]?s",
        'readme(s)?',
        'V[ -]?S[ -]?Code',
        'Jest',
        'OpenAPI',
      ],
    },
    'max-comma': { max: 8 },
  },
};
