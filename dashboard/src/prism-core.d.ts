// The types of prismjs describe its core, but not as a separate module.
declare module 'prismjs/components/prism-core.js' {
  import Prism from 'prismjs';

  export default Prism;
}
