/** Answers about loopd itself, and the sign-in of a browser. */
import { fail, ok } from '../../../model/failure.ts'
import { httpWords } from '../../../views/words/http.ts'
import { problem } from '../app.ts'
import { assetOf, indexPage } from '../assets.ts'
import type { daemonRoutes } from '../contract/daemon.ts'
import { openApi } from '../openapi.ts'
import { type ApiContext, contentType, type Some } from './context.ts'

type DaemonRoute = keyof typeof daemonRoutes

export function daemonAnswers(context: ApiContext): Some<DaemonRoute> {
  const { world, entry } = context
  return {
    daemon: () => ok(context.status()),
    stop: ({ body }) => {
      context.stop(body.now)
      return ok({ stopping: true })
    },
    invite: () => {
      const { url, problem: why } = context.status().web
      if (url === null) return fail('no-daemon', { kind: 'no-page', why })
      // In the fragment, which a browser sends to nobody: neither in a request nor as a referrer.
      return ok({ url: `${url}#code=${entry.invite(world.now())}` })
    },
    metrics: () => new Response(context.metrics(), { headers: contentType('text/plain; version=0.0.4') }),
    openapi: () => ok(openApi()),
    signIn: ({ body }) => {
      const key = entry.redeem(body.code, world.now())
      if (key !== null) return ok({ key })
      return problem(403, { reason: 'not-allowed', message: httpWords.usedLink })
    },
    signOut: (_, { bearer }) => {
      if (bearer !== null) entry.revoke(bearer, world.now())
      return ok({ out: true })
    },
    // With the host that was asked: a server on another port could hand the question on.
    proof: ({ body }, { host }) => ok({ proof: entry.prove(body.until, `${host} ${body.nonce}`) }),
    page: () => indexPage(),
    pageInside: () => indexPage(),
    asset: ({ params }, { acceptEncoding }) => assetOf(params.asset, acceptEncoding),
  }
}
