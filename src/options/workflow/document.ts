/** A workflow file as written: its parts with their positions, before variables, matrix and options are interpreted. */
import type { Purpose } from '../../model/project.ts'
import type { Flag } from '../table/flag.ts'
import type { SourceRange, TextNode } from './yaml.ts'

export type OptionEntry = { flag: Flag; keyRange: SourceRange; items: TextNode[] }

export type VarEntry = {
  name: string
  keyRange: SourceRange
  default: TextNode | null
  description: string | null
  isRequired: boolean
  /** Its value is a command, which runs in a shell of its own. */
  isCommand: boolean
  /** Without a value it is the project's command for this purpose. */
  detect: Purpose | null
}

export type LoopEntry = {
  id: TextNode
  prompt: TextNode
  /** By the name of the flag. */
  options: Map<string, OptionEntry>
  dependsOn: TextNode[]
  when: TextNode | null
  matrix: { key: string; keyRange: SourceRange; values: TextNode[] }[]
  outputs: { name: TextNode; description: string | null }[]
  confirm: TextNode | null
  retry: { max: number; on: string[] } | null
  bestOf: number | null
  /** No mistake was found in it so far. */
  isSound: boolean
}

export type WorkflowDocument = {
  name: TextNode
  description: TextNode | null
  /** Null if the file has no such key: then every used name is a variable. */
  vars: VarEntry[] | null
  env: { name: string; keyRange: SourceRange; value: TextNode }[]
  defaults: Map<string, OptionEntry>
  /** No mistake was found in the defaults. */
  areDefaultsSound: boolean
  budget: TextNode | null
  copySetup: TextNode | null
  loops: LoopEntry[]
  onComplete: TextNode[]
  onFailure: TextNode[]
}
