import { Hono } from 'hono';
import type { Dependencies, Env } from '../context.ts';

export function createAuth(_dependencies: Dependencies): Hono<Env> {
  return new Hono<Env>();
}
