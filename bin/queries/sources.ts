/** Syntax trees and types of the stores, through the API of the TypeScript compiler. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CallExpression, Node } from 'typescript/unstable/ast'
import { isCallExpression, isIdentifier, isPropertyAccessExpression } from 'typescript/unstable/ast/is'
import { API, type Checker, SymbolFlags, type Symbol as TsSymbol, type Type } from 'typescript/unstable/sync'
import { root } from '../rules/files.js'

export interface Sources {
  readonly checker: Checker
  /** Every function call in the source files, in the order of the files. */
  readonly calls: readonly CallExpression[]
  /** Returns the TypeScript type of an expression. */
  typeOf(node: Node): Type | undefined
  /** Loads the types of many expressions in one request. */
  loadTypes(nodes: readonly Node[]): void
  /** Returns the declaration of the name that an identifier refers to, also in another file from which it is imported. */
  declarationOf(node: Node): Node | undefined
  /** Declaration of the variable whose value the property `{ name }` of an object has. */
  shorthandOf(node: Node): Node | undefined
  /** Calls of the function that is declared with this name. */
  callsOf(name: Node): readonly CallExpression[]
  /** File and line of a node: `services/…/store.ts:12`. */
  placeOf(node: Node): string
  close(): void
}

const hasQueries = (text: string): boolean => /\bsql`/.test(text) || /\.(rows|row|run|send|atEnd)\b/.test(text)

/** Calls `each` for a syntax node and for all nodes below it. */
export const visit = (node: Node, each: (node: Node) => void): void => {
  each(node)
  node.forEachChild((child) => visit(child, each))
}

/** Name of the called function or method: `f` in `f(x)`, `rows` in `db.rows(x)`. */
export const calledName = (call: CallExpression): string => {
  const callee = call.expression
  if (isIdentifier(callee)) return callee.text
  return isPropertyAccessExpression(callee) ? callee.name.text : ''
}

/** Reads the files of `tsconfig.json` in this folder. The caller closes them, which ends the process of the compiler. */
export const openSources = (): Sources => {
  const config = fileURLToPath(new URL('tsconfig.json', import.meta.url))
  const api = new API({ cwd: root })
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (!project) throw new Error(`${config} was not opened`)
  const { checker, program } = project
  const calls: CallExpression[] = []
  const byName = new Map<string, CallExpression[]>()
  for (const file of project.rootFiles) {
    const source = hasQueries(readFileSync(file, 'utf8')) && program.getSourceFile(file)
    if (!source) continue
    visit(source, (node) => {
      if (!isCallExpression(node)) return
      calls.push(node)
      const known = byName.get(calledName(node))
      if (known) known.push(node)
      else byName.set(calledName(node), [node])
    })
  }
  const types = new Map<Node, Type | undefined>()
  const declarations = new Map<Node, Node | undefined>()
  const follow = (symbol: TsSymbol | undefined): TsSymbol | undefined =>
    symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const sources: Sources = {
    checker,
    calls,
    typeOf(node) {
      if (!types.has(node)) types.set(node, checker.getTypeAtLocation(node))
      return types.get(node)
    },
    loadTypes(nodes) {
      const wanted = nodes.filter((node) => !types.has(node))
      checker.getTypeAtLocation(wanted).forEach((type, i) => {
        types.set(wanted[i] as Node, type)
      })
    },
    declarationOf(node) {
      if (!declarations.has(node)) {
        const symbol = follow(checker.getSymbolAtLocation(node))
        const handle = symbol?.valueDeclaration ?? symbol?.declarations[0]
        declarations.set(node, handle?.resolve(project))
      }
      return declarations.get(node)
    },
    shorthandOf: (node) => checker.getShorthandAssignmentValueSymbol(node)?.valueDeclaration?.resolve(project),
    callsOf: (name) =>
      (byName.get(name.getText()) ?? []).filter(
        ({ expression }) => isIdentifier(expression) && sources.declarationOf(expression) === name.parent,
      ),
    placeOf(node) {
      const file = node.getSourceFile()
      const { line } = file.getLineAndCharacterOfPosition(node.getStart())
      return `${relative(root, file.fileName)}:${line + 1}`
    },
    close: () => api.close(),
  }
  return sources
}
