/** The files of the API reference, which are in assets/gateway-docs. */
export const docsStyle = 'style.css';
export const docsScript = 'app.js';

export const docsAssets = [
  { name: 'docs.style', file: docsStyle, type: 'text/css', summary: 'Style of the API reference' },
  { name: 'docs.script', file: docsScript, type: 'text/javascript', summary: 'Script of the API reference' },
] as const;
