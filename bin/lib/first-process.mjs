/**
 * Lets SIGTERM and SIGINT end this process if it is process 1 of a container. For process 1, the kernel ignores signals
 * without a handler.
 */
const NUMBERS = { SIGINT: 2, SIGTERM: 15 }

if (process.pid === 1) {
  for (const [signal, number] of Object.entries(NUMBERS)) {
    // This handler does nothing if the program has its own handler, with which a started role stops in order.
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}
