import * as z from 'zod/mini';

// The library would compile its checks, tries whether it may, and the browser reports each try as a violation
// of the content security policy. Configured here and not where the app begins, so that pages without a form
// do not load the library.
z.config({ jitless: true });

export { z };
