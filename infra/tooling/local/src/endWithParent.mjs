// Loaded into each service (node --import) so that it exits with the stack, even when the stack was killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The listener must not keep the process alive.
process.channel?.unref();
