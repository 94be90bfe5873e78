/** The OpenAPI document, made from the contract: nothing about a route is written twice. */
import * as z from 'zod'
import { version } from '../../model/version.ts'
import { failure, type Route, routes } from './contract.ts'

export function openApi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'loopd', version, description: 'The loops of one user on this machine.' },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  }
}

function operation(operationId: string, route: Route) {
  const { summary, body, answer, local } = route
  return {
    operationId,
    summary: local ? `${summary} (over the Unix socket only)` : summary,
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: json(body) } } } }),
    responses: {
      200: {
        description: summary,
        content:
          typeof answer === 'string'
            ? { [answer]: { schema: { type: 'string' } } }
            : { 'application/json': { schema: json(answer) } },
      },
      default: {
        description: 'refused, or failed',
        content: { 'application/json': { schema: json(failure) } },
      },
    },
  }
}

function parameters(of: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(of?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: json(schema as z.ZodType),
  }))
}

function json(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as Record<
    string,
    unknown
  >
  return rest
}
