import type { FilterOperation } from '../parse/filter.ts';
import type { Field } from '../parse/select.ts';
import type { PlannedCondition, ReadNode } from '../plan-read.ts';
import { arrayLiteral, identifier, type Statement } from './sql.ts';

/** The properties of rows that conditions and fields on them depend on. */
export type Rows = Pick<ReadNode, 'alias' | 'relation'>;

/** The value of a column, or of a path into its JSON, whose keys are bound like any value of the request. */
export function fieldSql(field: Field, rows: Rows, statement: Statement): string {
  const alias = identifier(rows.alias);
  if (field.name === '*') return `${alias}.*`;
  const column = `${alias}.${identifier(field.name)}`;
  if (field.path.length === 0) return column;
  const type = rows.relation?.columns.get(field.name)?.baseType;
  // Left as it is when it is JSON already, or an index on the path would not be used.
  const start = type === 'json' || type === 'jsonb' ? column : `to_jsonb(${column})`;
  const steps = field.path.map((step) => {
    const operand = 'index' in step ? `(${step.index})` : statement.bind(step.key);
    return `${step.asText ? '->>' : '->'}${operand}`;
  });
  return `(${start}${steps.join('')})`;
}

/** @param presence the SQL with which this query states that an embed has rows */
export function conditionSql(
  condition: PlannedCondition,
  rows: Rows,
  statement: Statement,
  presence: (condition: Extract<PlannedCondition, { kind: 'presence' }>) => string,
): string {
  if (condition.kind === 'presence') return presence(condition);
  if (condition.kind === 'filter') {
    const test = filterSql(condition.field, condition.operation, rows, statement);
    return condition.negated ? `NOT (${test})` : test;
  }
  const terms = condition.terms.map((term) => conditionSql(term, rows, statement, presence));
  return `${condition.negated ? 'NOT ' : ''}(${terms.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
}

function filterSql(field: Field, operation: FilterOperation, rows: Rows, statement: Statement): string {
  const left = fieldSql(field, rows, statement);
  switch (operation.kind) {
    case 'is':
      return `${left} IS ${operation.value}`;
    case 'in':
      return `${left} = ANY (${statement.bind(arrayLiteral(operation.values))})`;
    case 'compare': {
      const pattern = operation.operator === 'LIKE' || operation.operator === 'ILIKE';
      const value = statement.bind(pattern ? operation.value.replaceAll('*', '%') : operation.value);
      return `${left} ${operation.operator} ${operation.quantifier ? `${operation.quantifier} (${value})` : value}`;
    }
    case 'search': {
      const language = () =>
        operation.language === undefined ? '' : `${statement.bind(operation.language)}::regconfig, `;
      const type = field.path.length > 0 ? 'json' : rows.relation?.columns.get(field.name)?.baseType;
      const document = type === undefined || type === 'tsvector' ? left : `to_tsvector(${language()}${left})`;
      return `${document} @@ ${operation.function}(${language()}${statement.bind(operation.value)})`;
    }
  }
}
