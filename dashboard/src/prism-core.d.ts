// The types of prismjs describe its core, but not as a module of its own.
declare module 'prismjs/components/prism-core.js' {
  import Prism from 'prismjs';

  export default Prism;
}
