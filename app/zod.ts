import { z } from 'zod';

// The library would compile its checks, tries whether it may, and each try is reported as one the content policy stopped.
// Said here and not where the app begins, so that pages without a form do not load the library.
z.config({ jitless: true });

export { z };
