import type { RedisConnection, Subscriber, Subscription } from './redis-connection.ts';

interface Waiting {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A connection that does what a test says, for what is hard to bring about with a real one. */
export class FakeConnection implements RedisConnection {
  readonly isCluster = false;
  isConnected = true;
  /** What was sent, in order: `evalsha`, `eval`, `publish`. */
  readonly sent: string[] = [];
  readonly #waiting: Waiting[] = [];
  readonly subscribers: Subscriber[] = [];
  stopped = 0;
  /** What becomes of the next subscriptions. */
  subscribing: () => Promise<unknown> = () => Promise.resolve();

  isReady(): boolean {
    return this.isConnected;
  }

  evalSha(): Promise<unknown> {
    return this.#send('evalsha');
  }

  eval(): Promise<unknown> {
    return this.#send('eval');
  }

  publish(_channel: string, message: string): Promise<unknown> {
    return this.#send(`publish ${message}`);
  }

  subscribe(_channel: string, subscriber: Subscriber): Subscription {
    this.subscribers.push(subscriber);
    return {
      ready: this.subscribing(),
      stop: async () => {
        this.stopped++;
      },
    };
  }

  /** Answers the oldest command that waits. */
  answer(reply: unknown): void {
    const waiting = this.#waiting.shift();
    if (reply instanceof Error) waiting?.reject(reply);
    else waiting?.resolve(reply);
  }

  #send(command: string): Promise<unknown> {
    this.sent.push(command);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }
}
