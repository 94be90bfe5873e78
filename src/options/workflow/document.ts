/** A workflow file as it was written: its parts with their places, before variables, matrix and options mean anything. */
import type { Flag } from '../table/flag.ts'
import type { Range, TextNode } from './yaml.ts'

export type OptionEntry = { flag: Flag; keyRange: Range; items: TextNode[] }

export type VarEntry = {
  name: string
  keyRange: Range
  default: TextNode | null
  description: string | null
  isRequired: boolean
  /** Its value is a command, which a shell of its own runs. */
  isCommand: boolean
}

export type LoopEntry = {
  id: TextNode
  prompt: TextNode
  /** By the name of the flag. */
  options: Map<string, OptionEntry>
  dependsOn: TextNode[]
  when: TextNode | null
  matrix: { key: string; keyRange: Range; values: TextNode[] }[]
  outputs: { name: TextNode; description: string | null }[]
  confirm: TextNode | null
  retry: { max: number; on: string[] } | null
  bestOf: number | null
}

export type WorkflowDocument = {
  name: TextNode
  description: TextNode | null
  /** Null: there is no such key, so that every name that is used is a variable. */
  vars: VarEntry[] | null
  env: { name: string; keyRange: Range; value: TextNode }[]
  defaults: Map<string, OptionEntry>
  budget: TextNode | null
  copySetup: TextNode | null
  loops: LoopEntry[]
  onComplete: TextNode[]
  onFailure: TextNode[]
}
