/**
 * The hosts at which models are, by the variables of an environment: an address that is set there is the provider, in
 * place of the usual hosts. Settings files are not read: an agent may write its own.
 */
import { parseReach } from '../../model/loop/network.ts'

type Provider = {
  /** Variables that hold an address. */
  addresses: string[]
  hosts: string[]
}

export function hostsOf({ addresses, hosts }: Provider, env: NodeJS.ProcessEnv): string[] {
  const set = addresses.flatMap(name => env[name] || [])
  return set.length > 0 ? set.flatMap(hostIn) : hosts
}

/** `http://127.0.0.1:4000/v1` → `127.0.0.1:4000` */
function hostIn(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return []
  const host = `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`
  return parseReach(host) === null ? [] : [host]
}

/** Each with the variables of its keys, one of which must be set. */
const known: (Provider & { keys: string[] })[] = [
  {
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
    hosts: ['api.anthropic.com'],
  },
  {
    keys: ['OPENAI_API_KEY'],
    addresses: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    hosts: ['api.openai.com'],
  },
  {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    hosts: ['generativelanguage.googleapis.com'],
  },
  { keys: ['OPENROUTER_API_KEY'], addresses: [], hosts: ['openrouter.ai'] },
  { keys: ['DEEPSEEK_API_KEY'], addresses: [], hosts: ['api.deepseek.com'] },
  { keys: ['GROQ_API_KEY'], addresses: [], hosts: ['api.groq.com'] },
  { keys: ['MISTRAL_API_KEY'], addresses: [], hosts: ['api.mistral.ai'] },
  { keys: ['XAI_API_KEY'], addresses: [], hosts: ['api.x.ai'] },
  { keys: ['AZURE_API_KEY'], addresses: ['AZURE_API_BASE'], hosts: [] },
  { keys: ['OLLAMA_API_BASE'], addresses: ['OLLAMA_API_BASE'], hosts: [] },
]

/** For an agent that uses the models of many: the providers whose keys it gets. */
export function hostsByKeys(env: NodeJS.ProcessEnv): string[] {
  return known.flatMap(provider => (provider.keys.some(key => env[key]) ? hostsOf(provider, env) : []))
}

/** The models of Amazon and of Google in their clouds, by region. */
export function bedrockHosts(env: NodeJS.ProcessEnv): string[] {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
  const services = ['bedrock', 'bedrock-runtime', 'sts', 'oidc', 'portal.sso']
  return services.map(service => `${service}.${region}.amazonaws.com`)
}

export function vertexHosts(region: string | undefined): string[] {
  const place = region && region !== 'global' ? `${region}-aiplatform` : 'aiplatform'
  return [place, 'oauth2', 'sts', 'iamcredentials'].map(name => `${name}.googleapis.com`)
}
