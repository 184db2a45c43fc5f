/** Switched off by the settings. */
export default () => new Response('open after all');
