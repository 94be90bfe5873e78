/**
 * The routes of loopd as data: method, path, and a schema for all input and output, by subject in contract/*. The
 * server answers them (answers), the client calls them, the OpenAPI document describes them. The compiler checks
 * every answer against its schema.
 */
import type * as z from 'zod'
import { daemonRoutes } from './contract/daemon.ts'
import { groupRoutes, planRoutes } from './contract/group.ts'
import { journalRoutes } from './contract/journal.ts'
import { feedRoutes, listRoutes } from './contract/list.ts'
import { machineRoutes } from './contract/machine.ts'
import { outputRoutes } from './contract/output.ts'
import type { Route } from './contract/route.ts'
import { startRoutes } from './contract/start.ts'
import { treeRoutes } from './contract/tree.ts'

export const routes = {
  ...daemonRoutes,
  ...listRoutes,
  ...startRoutes,
  ...journalRoutes,
  ...feedRoutes,
  ...outputRoutes,
  ...treeRoutes,
  ...groupRoutes,
  ...machineRoutes,
  ...planRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
type Part<N extends RouteName, K extends 'params' | 'query' | 'body'> = (typeof routes)[N] extends {
  [key in K]: infer S extends z.ZodType
}
  ? z.output<S>
  : undefined

/** The input of a route. */
export type RouteRequest<N extends RouteName> = {
  params: Part<N, 'params'>
  query: Part<N, 'query'>
  body: Part<N, 'body'>
}

/** The output of a route, if it is JSON. */
export type RouteAnswer<N extends RouteName> = (typeof routes)[N]['answer'] extends infer S extends z.ZodType
  ? z.output<S>
  : never
