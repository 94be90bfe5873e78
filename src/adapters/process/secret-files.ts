/**
 * Files of the user that hold keys, passwords or what was typed, and that no run in a sandbox may read. One table: a
 * new one is one row; and a rule for files of programs that nobody has listed, by their names. What the agent itself
 * signs in with is not hidden from it (`reads`, `directories` of its own files). No file is opened here.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/** `paths`: below the home directory. `variables`: where their owner has moved them, a list of paths with colons. */
type Row = { kind: string; paths: readonly string[]; variables?: readonly string[] }

/** `$X/name`: a name below the directory that the variable X gives. */
const rows: readonly Row[] = [
  {
    kind: 'keys',
    paths: ['.ssh', '.gnupg', '.pki', '.config/age', '.config/sops', '.age', '.putty', '.Xauthority'],
    variables: ['GNUPGHOME', 'SOPS_AGE_KEY_FILE', 'XAUTHORITY'],
  },
  {
    // Sign-ins and conversations, of other projects too.
    kind: 'agents',
    paths: [
      '.claude/.credentials.json',
      '.claude/projects',
      '.claude/history.jsonl',
      '.claude.json',
      '.codex/auth.json',
      '.codex/sessions',
      '.codex/history.jsonl',
      '.gemini/oauth_creds.json',
      '.gemini/.env',
      '.gemini/tmp',
      '.local/share/opencode',
      '.cline/data',
      '.config/cursor',
      '.config/github-copilot',
      '.copilot',
      '.config/io.datasette.llm',
    ],
    variables: [
      '$CLAUDE_CONFIG_DIR/.credentials.json',
      '$CLAUDE_CONFIG_DIR/projects',
      '$CODEX_HOME/auth.json',
      '$CODEX_HOME/sessions',
      '$CLINE_DIR/data',
      'CLINE_DATA_DIR',
    ],
  },
  {
    kind: 'clouds',
    paths: [
      '.aws',
      '.azure',
      '.config/gcloud',
      '.boto',
      '.config/doctl',
      '.config/hcloud',
      '.oci',
      '.bluemix',
      '.config/rclone',
      '.s3cfg',
      '.config/linode-cli',
      '.config/scw',
      '.config/fly',
      '.fly',
      '.vault-token',
      '.terraform.d',
      '.terraformrc',
      '.pulumi',
      '.config/heroku',
      '.config/netlify',
      '.wrangler',
      '.config/.wrangler',
      '.local/share/com.vercel.cli',
      '.config/cloudflared',
      '.cloudflared',
      '.config/configstore',
      '.config/stripe',
      '.config/ngrok',
      '.ngrok2',
      '.tsh',
      '.step',
      '.sentryclirc',
      '.databrickscfg',
      '.jfrog',
      '.config/argocd',
      '.doppler',
      '.circleci',
      '.railway',
      '.config/turso',
      '.modal.toml',
    ],
    variables: [
      'AWS_SHARED_CREDENTIALS_FILE',
      'AWS_CONFIG_FILE',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AZURE_CONFIG_DIR',
      'CLOUDSDK_CONFIG',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'BOTO_CONFIG',
      'RCLONE_CONFIG',
      'OCI_CLI_CONFIG_FILE',
      'TF_CLI_CONFIG_FILE',
      'PULUMI_HOME',
      'VAULT_TOKEN_FILE',
    ],
  },
  {
    kind: 'containers',
    paths: ['.docker', '.kube', '.config/containers/auth.json', '.config/helm', '.talos', '.minikube'],
    variables: ['DOCKER_CONFIG', 'KUBECONFIG', 'REGISTRY_AUTH_FILE', 'HELM_REGISTRY_CONFIG', 'TALOSCONFIG'],
  },
  {
    kind: 'code hosts',
    paths: [
      '.git-credentials',
      '.config/git/credentials',
      '.netrc',
      '.config/gh',
      '.config/glab-cli',
      '.config/hub',
      '.config/tea',
      '.hgrc',
      '.subversion/auth',
    ],
    variables: ['GH_CONFIG_DIR', 'GLAB_CONFIG_DIR', 'NETRC'],
  },
  {
    kind: 'packages',
    paths: [
      '.npmrc',
      '.yarnrc',
      '.yarnrc.yml',
      '.config/pnpm/rc',
      '.pypirc',
      '.config/pip',
      '.pip',
      '.config/pypoetry/auth.toml',
      '.local/share/uv/credentials',
      '.cargo/credentials',
      '.cargo/credentials.toml',
      '.gem/credentials',
      '.local/share/gem/credentials',
      '.bundle/config',
      '.m2/settings.xml',
      '.m2/settings-security.xml',
      '.gradle/gradle.properties',
      '.ivy2/.credentials',
      '.sbt/.credentials',
      '.composer/auth.json',
      '.config/composer/auth.json',
      '.nuget/NuGet',
      '.hex/hex.config',
      '.condarc',
      '.config/huggingface',
      '.cache/huggingface/token',
      '.kaggle',
    ],
    variables: [
      'NPM_CONFIG_USERCONFIG',
      'npm_config_userconfig',
      'PIP_CONFIG_FILE',
      'BUNDLE_USER_CONFIG',
      '$CARGO_HOME/credentials',
      '$CARGO_HOME/credentials.toml',
      '$GRADLE_USER_HOME/gradle.properties',
      '$COMPOSER_HOME/auth.json',
      '$HF_HOME/token',
      'HF_TOKEN_PATH',
      'KAGGLE_CONFIG_DIR',
    ],
  },
  {
    kind: 'databases',
    paths: [
      '.pgpass',
      '.pg_service.conf',
      '.my.cnf',
      '.mylogin.cnf',
      '.mongorc.js',
      '.config/redis',
      '.dbt',
      '.snowsql',
      '.snowflake',
      '.config/snowflake',
      '.local/share/DBeaverData',
    ],
    variables: ['PGPASSFILE', 'PGSERVICEFILE', 'MYSQL_TEST_LOGIN_FILE'],
  },
  {
    kind: 'browsers and mail',
    paths: [
      '.mozilla',
      '.thunderbird',
      '.config/google-chrome',
      '.config/google-chrome-beta',
      '.config/chromium',
      '.config/BraveSoftware',
      '.config/microsoft-edge',
      '.config/opera',
      '.config/vivaldi',
      '.librewolf',
      '.config/Slack',
      '.config/Signal',
      '.config/discord',
      '.local/share/TelegramDesktop',
      '.config/Code/User/globalStorage',
      '.config/Cursor/User/globalStorage',
      '.config/Postman',
      '.config/Insomnia',
      '.config/filezilla',
      '.local/share/remmina',
      '.config/goa-1.0',
      '.config/evolution',
      '.local/share/evolution',
      '.purple',
      '.msmtprc',
      '.config/msmtp',
      '.mutt',
      '.muttrc',
      '.mbsyncrc',
      '.fetchmailrc',
      '.offlineimaprc',
      '.smbcredentials',
      '.config/neomutt',
      '.config/remmina',
      '.config/weechat',
      '.weechat',
      '.authinfo',
      '.authinfo.gpg',
      'snap/firefox',
      'snap/chromium',
      '.var/app/org.mozilla.firefox',
      '.var/app/com.google.Chrome',
      '.var/app/org.chromium.Chromium',
    ],
  },
  {
    kind: 'passwords',
    paths: [
      '.password-store',
      '.local/share/keyrings',
      '.local/share/kwalletd',
      '.config/op',
      '.op',
      '.config/Bitwarden CLI',
      '.config/Bitwarden',
      '.config/1Password',
      '.config/keepassxc',
      '.local/share/gopass',
      '.config/gopass',
      '.lastpass',
      '.local/share/lpass',
      '.bitcoin',
      '.electrum',
      '.ethereum',
      '.config/solana',
    ],
    variables: ['PASSWORD_STORE_DIR', 'BITWARDENCLI_APPDATA_DIR'],
  },
  {
    kind: 'histories',
    paths: [
      '.bash_history',
      '.zsh_history',
      '.zhistory',
      '.histfile',
      '.sh_history',
      '.ash_history',
      '.local/share/fish/fish_history',
      '.local/share/atuin',
      '.python_history',
      '.node_repl_history',
      '.psql_history',
      '.mysql_history',
      '.sqlite_history',
      '.rediscli_history',
      '.mongosh',
      '.dbshell',
      '.irb_history',
      '.pry_history',
      '.Rhistory',
      '.lesshst',
      '.viminfo',
      '.ipython',
      '.wget-hsts',
      '.wakatime.cfg',
    ],
    variables: ['HISTFILE', 'PSQL_HISTORY', 'MYSQL_HISTFILE', 'NODE_REPL_HISTORY', 'PYTHON_HISTORY'],
  },
]

export type SecretFile = { kind: string; path: string }

/** Where such files may be, for this environment. Base directories of XDG are tried beside their usual places. */
export function secretFiles(env: NodeJS.ProcessEnv, home: string): SecretFile[] {
  const listed = rows.flatMap(({ kind, paths, variables = [] }) => {
    const usual = paths.flatMap(path => [join(home, path), ...elsewhere(path, env)])
    const named = variables.flatMap(name => placesOf(name, env, home))
    return [...new Set([...usual, ...named])].map(path => ({ kind, path }))
  })
  const paths = new Set(listed.map(({ path }) => path))
  const more = tellingPaths(env, home, paths).filter(path => !paths.has(path))
  return [...listed, ...more.map(path => ({ kind: 'by their names', path }))]
}

/** `.acme-token`, `.acme_history`, `credentials.json`, `.env`. */
const telling =
  /^(?:(?:.*[._-])?(?:credentials?|secrets?|tokens?|passwords?|passwd|auth|history|api[_-]?keys?)(?:\.(?:json|ya?ml|toml|ini|conf|txt|db|gpg))?|\.env(?:rc)?)$/i

/** What holds a private key whatever it is called, in the home directory itself too. */
const keyFile = /(?:^id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|ppk|p12|pfx|kdbx|jks))$/i

/** What editors and people leave beside a file: `.npmrc~`, `.netrc.bak`. */
const leftover = /(?:~|\.(?:bak|backup|old|orig|saved?|copy|sw[a-p]|\d+))+$/i

/**
 * Of programs that no row knows: hidden files of the home directory, and files in its hidden directories and in those of
 * `.config` and the like. And what was left beside a file that is known.
 */
function tellingPaths(env: NodeJS.ProcessEnv, home: string, known: ReadonlySet<string>): string[] {
  const usual = Object.keys(bases)
  const inBases = usual.flatMap(path => [join(home, path), ...elsewhere(path, env)])
  const all = entriesIn(home)
  const open = new Set(all.filter(path => !basename(path).startsWith('.')))
  const hidden = all.filter(path => !open.has(path))
  const ofPrograms = hidden.filter(path => !usual.some(base => `${home}/${base}`.startsWith(`${path}/`)))
  const files = [...all, ...[...ofPrograms, ...inBases.flatMap(entriesIn)].flatMap(entriesIn)]
  return files.filter(path => {
    const plain = path.replace(leftover, '')
    if (keyFile.test(basename(plain)) || (plain !== path && known.has(plain))) return true
    return telling.test(basename(plain)) && !open.has(path)
  })
}

/** None where it is no directory, or cannot be read, by a run neither. */
function entriesIn(directory: string): string[] {
  try {
    return readdirSync(directory).map(name => join(directory, name))
  } catch {
    return []
  }
}

const bases = {
  '.config/': 'XDG_CONFIG_HOME',
  '.local/share/': 'XDG_DATA_HOME',
  '.local/state/': 'XDG_STATE_HOME',
  '.cache/': 'XDG_CACHE_HOME',
}

function elsewhere(path: string, env: NodeJS.ProcessEnv): string[] {
  return Object.entries(bases).flatMap(([usual, name]) => {
    const base = env[name]
    return path.startsWith(usual) && base?.startsWith('/') ? [join(base, path.slice(usual.length))] : []
  })
}

/** A directory that holds the whole home directory is no secret: it would hide everything. Nor is /dev/null. */
function placesOf(variable: string, env: NodeJS.ProcessEnv, home: string): string[] {
  const [, name = variable, below = ''] = /^\$(\w+)(\/.*)$/.exec(variable) ?? []
  return (env[name] ?? '')
    .split(':')
    .filter(path => path.startsWith('/') && !path.startsWith('/dev/'))
    .map(path => join(path, below))
    .filter(path => !`${join(home)}/`.startsWith(path.endsWith('/') ? path : `${path}/`))
}
