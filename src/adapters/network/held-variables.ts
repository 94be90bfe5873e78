/**
 * Variables that decide what Node itself loads and does. The guard of a network runs outside of the sandbox, with the
 * environment of the command on its way in: `NODE_OPTIONS=--require ./x.js` would run a file of the agent out there.
 * So they have another name until the guard starts the sandbox.
 */
const ofNode = /^(?:NODE|OPENSSL|SSL|UV)_/
const prefix = 'LOOP_HELD_'

export function held(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return renamed(env, name => (ofNode.test(name) ? `${prefix}${name}` : name))
}

export function released(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return renamed(env, name => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
}

function renamed(env: NodeJS.ProcessEnv, rename: (name: string) => string): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [rename(name), value]))
}
