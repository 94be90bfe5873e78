/** The sentences of loopd's HTTP server for requests that reach no route. */

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
} as const

export function otherMethod(allowed: string): string {
  return `This path allows only: ${allowed}.`
}

export function tooManyStreams(most: number): string {
  return `${most} streams are open already. Close one and try again.`
}
