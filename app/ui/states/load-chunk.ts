const loadedChunks = new Map<string, Promise<void>>();

/**
 * Stands in for Vite's own helper, which calls it for every `import()` of the site. A browser that could not
 * fetch a module once may refuse it, and all modules that need it, for as long as the page is open (the
 * module map of HTML keeps failures). So every file of a part is fetched first, by means that can be
 * repeated, and imported from the cache.
 *
 * @param load imports the part
 * @param files its files, itself included, below the root of the site
 * @throws TypeError without a connection
 */
export async function loadChunk<Module>(load: () => Promise<Module>, files: string[] = []): Promise<Module> {
  await Promise.all(files.map((file) => waitForFile(`/${file}`)));
  return load();
}

function waitForFile(href: string): Promise<void> {
  const existing = loadedChunks.get(href);
  if (existing) return existing;
  const loading = href.endsWith('.css') ? addStyles(href) : fetchModule(href);
  loadedChunks.set(href, loading);
  loading.catch(() => loadedChunks.delete(href));
  return loading;
}

async function fetchModule(href: string): Promise<void> {
  if (document.querySelector(`link[rel=modulepreload][href="${href}"]`)) return;
  const response = await fetch(href);
  if (!response.ok) throw new TypeError(`${href} is not there (${response.status})`);
  // To its end, or the import would fetch it once more.
  await response.arrayBuffer();
}

async function addStyles(href: string): Promise<void> {
  // The router writes the address of a page's own style sheet with a mark at its end, and the page contains it.
  if (document.querySelector(`link[rel=stylesheet][href^="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  await new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new TypeError(`${href} could not be loaded`));
    });
    document.head.append(link);
  });
}
