import { RestError } from './errors.ts';

/** How the result is wrapped. */
export interface Format {
  kind: 'array' | 'object' | 'csv';
  stripNulls: boolean;
  contentType: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** @throws RestError PGRST107 when none of the types the client accepts is served */
export function negotiate(accept: string | null): Format {
  const acceptedTypes = (accept ?? '*/*').split(',').map((text) => text.trim());
  for (const text of acceptedTypes) {
    const [type = '', ...parameters] = text
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const stripNulls = parameters.includes('nulls=stripped');
    switch (type) {
      case '':
      case '*/*':
      case 'application/*':
      case 'application/json':
        return { kind: 'array', stripNulls: false, contentType: JSON_TYPE };
      case 'application/vnd.pgrst.object':
      case 'application/vnd.pgrst.object+json':
        return {
          kind: 'object',
          stripNulls,
          contentType: `${type}${stripNulls ? '; nulls=stripped' : ''}; charset=utf-8`,
        };
      case 'application/vnd.pgrst.array':
      case 'application/vnd.pgrst.array+json':
        return {
          kind: 'array',
          stripNulls,
          contentType: stripNulls
            ? 'application/vnd.pgrst.array+json; nulls=stripped; charset=utf-8'
            : JSON_TYPE,
        };
      case 'text/csv':
        return { kind: 'csv', stripNulls: false, contentType: 'text/csv; charset=utf-8' };
    }
  }
  throw new RestError(
    406,
    'PGRST107',
    `None of these media types are available: ${acceptedTypes.join(', ')}`,
  );
}
