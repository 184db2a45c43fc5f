import { Hono } from 'hono';
import type { Dependencies, Env } from '../context.ts';

export function createStorage(_dependencies: Dependencies): Hono<Env> {
  return new Hono<Env>();
}
