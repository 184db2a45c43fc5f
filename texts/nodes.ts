/** A node of the tree that the parser makes, as far as it is looked at here. https://github.com/estree/estree */
export interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: two hundred kinds of nodes have types of their own, of which twenty are told apart here
  [key: string]: any;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The nodes directly in a node, each with the name of its place. */
export function* childrenOf(node: Node): Generator<[string, Node]> {
  for (const [key, value] of Object.entries(node)) {
    if (isNode(value)) yield [key, value];
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) yield [key, one];
  }
}

export const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

export const isString = (node: Node): boolean => node.type === 'Literal' && typeof node.value === 'string';

/** A string, or a template of one. */
export const isWritten = (node: Node): boolean => isString(node) || node.type === 'TemplateLiteral';

/** What a string or template says by itself. */
export const wordsOf = (node: Node): string =>
  isString(node) ? node.value : node.quasis.map(({ value }: Node) => value.cooked).join(' ');

/** A choice between two texts: the text where a condition holds, and the other one. */
export interface Choice {
  condition: Node;
  /** The number of which one text is said and else the other. */
  count?: Node;
  yes: Node;
  no?: Node;
}

/** The choice that an expression makes between texts, if it makes one. */
export function choiceOf(node: Node): Choice | undefined {
  if (
    node.type === 'LogicalExpression' &&
    node.operator === '&&' &&
    isWritten(node.right) &&
    hasLetters(wordsOf(node.right))
  )
    return { condition: node.left, yes: node.right };
  if (node.type !== 'ConditionalExpression') return undefined;
  const { test, consequent: yes, alternate: no } = node;
  if (!isWritten(yes) || !isWritten(no) || !hasLetters(wordsOf(yes) + wordsOf(no))) return undefined;
  const isCount = test.type === 'BinaryExpression' && test.operator === '===' && test.right.value === 1;
  return { condition: test, yes, no, ...(isCount && { count: test.left }) };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** A text of JSX with its entities read. */
export const decode = (text: string): string =>
  text.replace(/&(#?\w+);/g, (all, name) => {
    const read = ENTITIES[name];
    if (read === undefined) throw new Error(`${all} has to be written as the character that it is`);
    return read;
  });

/** The text between tags as it is shown: a line break with the blanks around it is one blank, and none at the edges. */
export function shownText({ raw }: Node): string {
  const lines = (raw as string).split('\n');
  const shown = lines.map((line, at) => {
    const from = at > 0 ? line.trimStart() : line;
    return at < lines.length - 1 ? from.trimEnd() : from;
  });
  return decode(shown.filter(Boolean).join(' '));
}

/** Whether what stands between tags has text of its own, so that all of it is one message. */
export const hasText = (children: Node[]): boolean =>
  children.some((child) => {
    if (child.type === 'JSXText') return hasLetters(child.raw);
    if (child.type !== 'JSXExpressionContainer') return false;
    const { expression } = child;
    return (isWritten(expression) && hasLetters(wordsOf(expression))) || Boolean(choiceOf(expression)?.count);
  });
