import { RestError } from './errors.ts';

/** The form in which the result is wrapped. */
export interface Format {
  kind: 'array' | 'object' | 'csv';
  stripNulls: boolean;
  contentType: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** @throws RestError PGRST107 when none of the types the client accepts is served */
export function negotiate(accept: string | null): Format {
  const accepted = inOrderOfPreference(accept ?? '*/*');
  for (const { type, parameters } of accepted) {
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
          contentType: `application/vnd.pgrst.object+json${stripNulls ? ';nulls=stripped' : ''}; charset=utf-8`,
        };
      case 'application/vnd.pgrst.array':
      case 'application/vnd.pgrst.array+json':
        return {
          kind: 'array',
          stripNulls,
          contentType: stripNulls
            ? 'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8'
            : JSON_TYPE,
        };
      case 'text/csv':
        return { kind: 'csv', stripNulls: false, contentType: 'text/csv; charset=utf-8' };
    }
  }
  throw new RestError(
    406,
    'PGRST107',
    `None of these media types are available: ${accepted.map(inWords).join(', ')}`,
  );
}

interface Accepted {
  /** As they were sent, the type first, without the weight. */
  sent: string[];
  type: string;
  parameters: string[];
}

/** By weight, then the more specific first, then as they were sent. */
function inOrderOfPreference(accept: string): Accepted[] {
  return accept
    .split(',')
    .map((text) => {
      const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => /^q=/i.test(part));
      const others = parameters.filter((part) => part !== weight);
      const parsed = Number(weight?.slice(2) ?? 1);
      return {
        sent: [type, ...others],
        type: type.toLowerCase(),
        parameters: others.map((part) => part.toLowerCase().replaceAll('"', '')),
        weight: Number.isFinite(parsed) ? parsed : 1,
        specificity: type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2 + others.length,
      };
    })
    .sort((a, b) => b.weight - a.weight || b.specificity - a.specificity);
}

/** A type as PostgREST names it: of a plan always the format and what the plan is for. */
function inWords({ sent, type }: Accepted): string {
  const plan = /^application\/vnd\.pgrst\.plan(?:\+(json|text))?$/.exec(type);
  if (!plan) return sent.join(';');
  const parameter = (name: string) =>
    sent.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const options = parameter('options');
  return [
    `application/vnd.pgrst.plan+${plan[1] ?? 'text'}`,
    `for=${parameter('for') ?? '"application/json"'}`,
    ...(options ? [`options=${options}`] : []),
  ].join('; ');
}
