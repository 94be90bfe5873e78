/** Routes about loopd itself: its health, its end, its metrics, this list, and the sign-in of a browser. */
import * as z from 'zod'
import { daemonSchema } from '../../../documents/machine.ts'
import { always, getRoute, postRoute, wholeNumber } from './route.ts'

export const daemonRoutes = {
  daemon: getRoute('/v1/daemon', { summary: 'how loopd is', answer: daemonSchema() }),
  stop: postRoute('/v1/daemon/stop', {
    summary: 'end loopd: after the iterations, or now; agents go on either way',
    body: z.strictObject({ now: z.boolean() }),
    answer: z.strictObject({ stopping: z.boolean() }),
    local: true,
    forPeople: always,
  }),
  invite: postRoute('/v1/invitations', {
    summary: 'an address that opens the page once',
    body: z.strictObject({}),
    answer: z.strictObject({ url: z.string() }),
    local: true,
    forPeople: always,
  }),
  metrics: getRoute('/metrics', { summary: 'figures for Prometheus', answer: 'text/plain' }),
  openapi: getRoute('/openapi.json', {
    summary: 'this list for programs',
    answer: z.looseObject({}),
  }),
  signIn: postRoute('/v1/sign-in', {
    summary: 'exchange the code of an address of loop ui for a key, which is sent as the token is',
    body: z.strictObject({ code: z.string().max(100) }),
    answer: z.strictObject({ key: z.string() }),
    open: true,
    forPeople: always,
  }),
  signOut: postRoute('/v1/sign-out', {
    summary: 'make the key with which this is asked invalid',
    body: z.strictObject({}),
    answer: z.strictObject({ out: z.literal(true) }),
    forPeople: always,
  }),
  proof: postRoute('/v1/proof', {
    summary: 'show that this is loopd, before the key that ends at this time is sent to it',
    body: z.strictObject({ until: wholeNumber, nonce: z.string().min(1).max(100) }),
    answer: z.strictObject({ proof: z.string() }),
    open: true,
  }),
  page: getRoute('/', { summary: 'the page', answer: 'text/html', open: true }),
  pageInside: getRoute('/app/{rest}', {
    summary: 'the same page at an address of its own, so that it can be linked and loaded again',
    answer: 'text/html',
    open: true,
  }),
  asset: getRoute('/assets/{asset}', {
    summary: 'a file of the page; its name changes with what is in it',
    answer: 'application/octet-stream',
    open: true,
  }),
}
