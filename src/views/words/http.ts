/** The sentences of loopd's HTTP server for requests that reach no route, and its pages for a checkout without a build. */

export const httpWords = {
  otherAddress: 'loopd answers only at its own address. To open its page: loop ui',
  otherPage: 'loopd takes no requests from other web pages.',
  plainHttp: 'loopd speaks plain HTTP only.',
  noAccess: 'Send the token of loopd, or open the page with: loop ui',
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

/** What a page without a build says. `links`: where its visitor can go on. */
export type PlainPage = {
  title: string
  text: string
  command?: string
  links?: readonly (readonly [path: string, words: string])[]
  more?: string
}

export const closedPage: PlainPage = {
  title: 'This browser is not signed in',
  text: 'Open the page from a terminal of this machine:',
  command: 'loop ui',
  more: 'The address that it opens works once and for one minute. The browser then stays signed in for 30 days.',
}

export function unbuiltPage(version: string): PlainPage {
  return {
    title: 'The page was not built',
    text: `loopd ${version} runs and answers:`,
    links: [
      ['/v1/loops', 'the loops'],
      ['/v1/daemon', 'loopd itself'],
      ['/metrics', 'its figures'],
      ['/openapi.json', 'everything that can be asked'],
    ],
  }
}

export function otherMethod(allowed: string): string {
  return `This path allows only: ${allowed}.`
}

export function tooManyStreams(most: number): string {
  return `${most} streams are open already. Close one and try again.`
}
