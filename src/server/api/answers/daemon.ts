/** Answers about loopd itself, and the sign-in of a browser. */
import { fail, ok } from '../../../model/failure.ts'
import { problem } from '../app.ts'
import { assetOf, indexPage } from '../assets.ts'
import type { daemonRoutes } from '../contract/daemon.ts'
import { cookieName } from '../credentials.ts'
import { openApi } from '../openapi.ts'
import { type ApiOffice, contentType, type Some } from './office.ts'

type DaemonRoute = keyof typeof daemonRoutes

export function daemonAnswers(office: ApiOffice): Some<DaemonRoute> {
  const { world, entry } = office
  return {
    daemon: () => ok(office.status()),
    stop: ({ body }) => {
      office.stop(body.now)
      return ok({ stopping: true })
    },
    invite: () => {
      const { url, problem: why } = office.status().web
      if (url === null) return fail('no-daemon', { kind: 'no-page', why })
      return ok({ url: `${url}enter?code=${entry.invite(world.now())}` })
    },
    metrics: () => new Response(office.metrics(), { headers: contentType('text/plain; version=0.0.4') }),
    openapi: () => ok(openApi()),
    enter: ({ query }) => enter(entry.redeem(query.code, world.now())),
    logout: (_, { cookie }) => {
      if (cookie !== null) entry.revoke(cookie)
      const flags = 'HttpOnly; SameSite=Strict; Path=/; Max-Age=0'
      return Response.json({ out: true }, { headers: { 'set-cookie': `${cookieName}=; ${flags}` } })
    },
    page: () => indexPage(),
    pageInside: () => indexPage(),
    asset: ({ params }, { acceptEncoding }) => assetOf(params.asset, acceptEncoding),
  }
}

function enter(cookie: string | null): Response {
  if (!cookie) {
    const message = 'This address has been used, or is too old. Get a new one with: loop ui'
    return problem(403, { reason: 'not-allowed', message })
  }
  const flags = 'HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000'
  const headers = { location: '/', 'set-cookie': `${cookieName}=${cookie}; ${flags}` }
  return new Response(null, { status: 303, headers })
}
