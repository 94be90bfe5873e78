/**
 * The OpenAPI document (3.1, whose schemas are JSON Schema 2020-12), generated from the contract. The possible
 * refusals of a route follow from its input.
 */
import * as z from 'zod'
import { version } from '../../model/version.ts'
import { userFlags } from '../../options/table/user.ts'
import { failure, type Route } from './contract/route.ts'
import { routes } from './contract.ts'

export function openApi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'loopd',
      version,
      description: 'The loops of one user on this machine.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: 'http://127.0.0.1:{port}',
        description: 'this machine; the same, without a token, over the Unix socket that loopd status names',
        variables: { port: { default: portDefault, description: 'web_ui_port of the configuration' } },
      },
    ],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'what loopd.token holds, or the key that POST /v1/sign-in gives',
        },
      },
      schemas: { Failure: json(failure) },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [`Refused${status}`, refused(description)]),
      ),
    },
  }
}

const portDefault = userFlags.find(({ name }) => name === 'web-ui-port')?.default ?? ''

const refusals: Record<string, string> = {
  400: 'the request is not what the route takes',
  401: 'the token, or the key, is missing or wrong',
  403: 'not for this client: a page of somebody else, an address that was used, an agent in its run',
  404: 'there is no such loop, or no such thing of it',
  409: 'the loop cannot do that as it stands',
  411: 'the length of the body is not said',
  413: 'the body is larger than 1 MB',
  415: 'the body is not said to be JSON',
  421: 'another host name than that of loopd',
}

function refused(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
  }
}

function operation(operationId: string, route: Route) {
  const { summary, body, local } = route
  return {
    operationId,
    summary: local ? `${summary} (over the Unix socket only)` : summary,
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: json(body) } } } }),
    // Only the user can reach the socket.
    ...((local || route.open) && { security: [] }),
    responses: {
      ...success(route),
      ...Object.fromEntries(
        statusesOf(route).map(status => [status, { $ref: `#/components/responses/Refused${status}` }]),
      ),
      default: refused('refused, or failed'),
    },
  }
}

function success({ summary, answer }: Route) {
  const content =
    typeof answer === 'string'
      ? { [answer]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: json(answer, withMoreFields) } }
  return { 200: { description: summary, content } }
}

function statusesOf({ params, query, body, local, open, method, forPeople }: Route): string[] {
  return [
    ...(params || query || body ? ['400'] : []),
    ...(local || open ? [] : ['401']),
    ...(!local || forPeople ? ['403'] : []),
    ...(params ? ['404'] : []),
    ...(params && method === 'post' ? ['409'] : []),
    ...(body ? ['411', '413', '415'] : []),
    ...(local ? [] : ['421']),
  ]
}

function parameters(of: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(of?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: json(schema as z.ZodType),
  }))
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>

/** What a later version adds to an answer is no mistake. */
const withMoreFields: Override = ({ jsonSchema }) => {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function json(schema: z.ZodType, override: Override = () => undefined): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', override })
  return rest
}
