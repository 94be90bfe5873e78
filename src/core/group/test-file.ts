/** Whether a file holds tests, by its name. */
export function isTestFile(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec)\/|\.(test|spec)\.|_test\.|(^|\/)test_/.test(path)
}
