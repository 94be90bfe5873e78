/** The sentences of loopd's HTTP server for requests that reach no route, and its page for a checkout without a build. */

export const httpWords = {
  otherAddress: 'loopd answers only at its own address. To open its page: loop ui',
  otherPage: 'loopd takes no requests from other web pages.',
  plainHttp: 'loopd speaks plain HTTP only.',
  noAccess: 'Send the token of loopd (Authorization: Bearer …), or open the page with: loop ui',
  usedLink: 'This link has expired or was already used. For a new one: loop ui',
  onlySocket: 'loopd answers this only on its Unix socket. Where that is: loopd status',
  noRoute: 'There is no such path. All paths: GET /openapi.json',
  broken: 'loopd failed to answer; the reason is in its log (loopd status says where).',
  noLength: 'The request needs a Content-Length header.',
  tooLarge: 'The request is larger than 1 MB.',
  notJsonType: 'Send JSON, with the header Content-Type: application/json.',
  notJson: 'The body is not JSON.',
  forPeople: 'This is for the user, not for an agent in its run.',
  noAsset: 'There is no such file of the page: load the page again.',
} as const

/** The page of a checkout without a build: a title, a sentence, and what to type. */
export function unbuiltPage(version: string): { title: string; text: string; command: string } {
  return {
    title: 'The page was not built',
    text: `loopd ${version} runs, but this checkout has no page. Build it, then load this again:`,
    command: 'npm run build',
  }
}

export function otherMethod(allowed: string): string {
  return `This path allows only: ${allowed}.`
}

export function tooManyStreams(most: number): string {
  return `${most} streams are open already. Close one and try again.`
}
