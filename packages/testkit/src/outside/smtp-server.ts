/**
 * A small SMTP server that stores received e-mails. It supports EHLO, STARTTLS, AUTH, MAIL, RCPT, DATA, and refusals on
 * request.
 */
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type Mail, readMail } from './mail.js'
import { type Recorder, recorder } from './recorder.js'
import { type ListenOptions, listenOn } from './web-server.js'

export interface SmtpOptions extends Pick<ListenOptions, 'host' | 'port' | 'tls'> {
  /** If set, e-mails are accepted only after AUTH PLAIN or LOGIN with these credentials. */
  credentials?: { user: string; password: string }
}

export interface SmtpServer {
  host: string
  port: number
  mails: Recorder<Mail>
  /**
   * Responds to RCPT with this code (550 permanent, 451 temporary) for the next `times` recipients; for all recipients
   * if `times` is absent.
   */
  refuseWith(code: number, times?: number): void
  repair(): void
  close(): Promise<void>
}

const MAX_CONVERSATION = 16 * 1024 * 1024

/** Starts the server. With `tls`, the server offers STARTTLS. */
export const startSmtpServer = async (options: SmtpOptions = {}): Promise<SmtpServer> => {
  const mails = recorder<Mail>('mails', ({ to, subject }) => `${to.join(', ')}: ${subject}`)
  const sockets = new Set<Socket>()
  let refusal: { code: number; times: number } | undefined
  const refuse = () => (refusal && refusal.times-- > 0 ? refusal.code : undefined)
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    converse(socket, options, refuse, (mail) => mails.push(mail))
  })
  const { host, port, close } = await listenOn(server, options)
  return {
    host,
    port,
    mails,
    refuseWith: (code, times = Number.POSITIVE_INFINITY) => {
      refusal = { code, times }
    },
    repair: () => {
      refusal = undefined
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return close()
    },
  }
}

/** Handles one connection, line by line (RFC 5321). */
const converse = (
  first: Socket,
  { tls, credentials }: SmtpOptions,
  refuse: () => number | undefined,
  take: (mail: Mail) => void,
): void => {
  let socket = first
  let secure = false
  let allowed = credentials === undefined
  let from = ''
  let to: string[] = []
  let data: string[] | undefined
  let expected: ((line: string) => void) | undefined
  let pending = ''
  let received = 0
  const say = (...lines: string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(''))
  const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8')

  const enter = (user: string, password: string) => {
    allowed = user === credentials?.user && password === credentials.password
    say(allowed ? '235 2.7.0 welcome' : '535 5.7.8 wrong user or password')
  }
  const commands: Record<string, (argument: string) => void> = {
    EHLO: () => {
      const offers = [...(tls && !secure ? ['STARTTLS'] : []), ...(credentials ? ['AUTH PLAIN LOGIN'] : [])]
      say('250-mail.test', ...offers.map((offer) => `250-${offer}`), '250 8BITMIME')
    },
    HELO: () => say('250 mail.test'),
    NOOP: () => say('250 2.0.0 ok'),
    RSET: () => {
      to = []
      say('250 2.0.0 ok')
    },
    QUIT: () => {
      say('221 2.0.0 bye')
      socket.end()
    },
    STARTTLS: () => {
      if (!tls) return say('502 5.5.1 not offered')
      say('220 2.0.0 go on')
      socket.removeAllListeners('data')
      socket = new TLSSocket(socket, { isServer: true, ...tls })
      secure = true
      listen()
    },
    AUTH: (argument) => {
      const [method, initial] = argument.split(' ')
      const plain = (text: string) => enter(...(decoded(text).split('\0').slice(1, 3) as [string, string]))
      if (method === 'PLAIN' && initial) return plain(initial)
      say(method === 'LOGIN' ? '334 VXNlcm5hbWU6' : '334 ')
      expected = (response) => {
        expected = undefined
        if (method !== 'LOGIN') return plain(response)
        say('334 UGFzc3dvcmQ6')
        expected = (password) => {
          expected = undefined
          enter(decoded(response), decoded(password))
        }
      }
    },
    MAIL: (argument) => {
      if (!allowed) return say('530 5.7.0 sign in first')
      from = addressIn(argument)
      to = []
      say('250 2.1.0 ok')
    },
    RCPT: (argument) => {
      const code = refuse()
      if (code) return say(`${code} this recipient is refused`)
      to.push(addressIn(argument))
      say('250 2.1.5 ok')
    },
    DATA: () => {
      if (to.length === 0) return say('503 5.5.1 no recipient')
      data = []
      say('354 end with a dot on its own line')
    },
  }

  const onText = (line: string): void => {
    if (line !== '.') {
      data?.push(line.startsWith('.') ? line.slice(1) : line)
      return
    }
    take(readMail(from, to, Buffer.from(data!.join('\r\n'), 'latin1').toString('utf8'), secure))
    data = undefined
    say('250 2.0.0 taken')
  }
  const onCommand = (line: string): void => {
    const [, verb = '', argument = ''] = /^(\S*)\s?(.*)$/.exec(line) ?? []
    const command = commands[verb.toUpperCase()]
    if (command) command(argument)
    else say('500 5.5.2 unknown command')
  }

  const listen = () => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      // Received bytes are stored as one character each until the e-mail is complete, because a chunk may end within a
      // UTF-8 character.
      pending += chunk.toString('latin1')
      received += chunk.length
      if (received > MAX_CONVERSATION) socket.destroy()
      const lines = pending.split('\r\n')
      pending = lines.pop()!
      for (const line of lines) (data ? onText : (expected ?? onCommand))(line)
    })
  }
  listen()
  say('220 mail.test ESMTP')
}

const addressIn = (argument: string): string => /<([^>]*)>/.exec(argument)?.[1] ?? argument
