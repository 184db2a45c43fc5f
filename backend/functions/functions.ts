import { Hono } from 'hono';
import type { Dependencies, Env } from '../context.ts';

export function createFunctions(_dependencies: Dependencies): Hono<Env> {
  return new Hono<Env>();
}
