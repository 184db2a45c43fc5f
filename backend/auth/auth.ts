import { Hono } from 'hono';
import type { Dependencies, Env } from '../app.ts';

export function createAuth(_dependencies: Dependencies): Hono<Env> {
  return new Hono<Env>();
}
