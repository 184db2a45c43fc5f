import { Hono } from 'hono';
import type { Dependencies, Env } from '../app.ts';

export function createRest(_dependencies: Dependencies): Hono<Env> {
  return new Hono<Env>();
}
