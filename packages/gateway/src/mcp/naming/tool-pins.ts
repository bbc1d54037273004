import type { ListedTool } from '../messages.ts';
import { fitsFirstPin, pinOf, pinOfText } from './tool-pin.ts';

/** Pins by the names of tools, by the names of servers. */
export type Pins = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Where pins are kept across restarts. */
export interface PinStore {
  /** What was kept; empty where nothing was. */
  read(): Pins;
  /** Keeps these besides what is kept already. Never throws. */
  add(pins: Pins): void;
}

/**
 * Whether a tool is what it was: not seen before; the same; another under the same name; or that other one again,
 * which nobody has approved yet.
 */
export type PinVerdict = 'new' | 'same' | 'changed' | 'held';

/** The name under which the instructions of a server are pinned. No tool may have it: the protocol knows no such names. */
export const INSTRUCTIONS = '(instructions)';

/** A server that makes up names for ever must not fill the memory: what comes on top waits to be approved. */
const MOST_PINS = 10_000;

/** Remembers what tools were when they were seen first, so that one that turns into another is noticed. */
export class ToolPins {
  readonly #pins = new Map<string, Map<string, string>>();
  /** What tools have turned into, as long as that is not approved. */
  readonly #held = new Map<string, Map<string, string>>();
  readonly #store: PinStore | undefined;
  #unsaved = new Map<string, Map<string, string>>();

  constructor(store?: PinStore) {
    this.#store = store;
    for (const [server, pins] of store?.read() ?? []) this.#pins.set(server, new Map(pins));
  }

  /** Compares a tool with what was seen first, which stays in force until `approve`. */
  see(server: string, tool: ListedTool): PinVerdict {
    const known = this.#pins.get(server)?.get(tool.name);
    // What the first version did not cover is trusted as it is seen now.
    if (known !== undefined && fitsFirstPin(known, tool)) {
      this.#pin(server, tool.name, pinOf(tool));
    }
    return this.#see(server, tool.name, pinOf(tool));
  }

  /** The same for the instructions of a server; '' where it has none. */
  seeInstructions(server: string, text: string): PinVerdict {
    return this.#see(server, INSTRUCTIONS, pinOfText(text));
  }

  #see(server: string, name: string, pin: string): PinVerdict {
    const pins = this.#pins.get(server);
    const known = pins?.get(name);
    if (known === pin) {
      this.#held.get(server)?.delete(name);
      return 'same';
    }
    if (known === undefined && (pins?.size ?? 0) < MOST_PINS) {
      this.#pin(server, name, pin);
      return 'new';
    }
    const isHeld = this.#held.get(server)?.get(name) === pin;
    if ((this.#held.get(server)?.size ?? 0) < MOST_PINS) put(this.#held, server, name, pin);
    return isHeld ? 'held' : 'changed';
  }

  /** What a tool has turned into is what it is from now on; all of a server without a name. Returns their names. */
  approve(server: string, name?: string): readonly string[] {
    const held = [...(this.#held.get(server) ?? [])].filter(
      ([each]) => name === undefined || each === name,
    );
    for (const [each, pin] of held) {
      this.#pin(server, each, pin);
      this.#held.get(server)?.delete(each);
    }
    this.save();
    return held.map(([each]) => each);
  }

  /** Keeps what is new. */
  save(): void {
    if (this.#unsaved.size === 0) return;
    this.#store?.add(this.#unsaved);
    this.#unsaved = new Map();
  }

  #pin(server: string, name: string, pin: string): void {
    put(this.#pins, server, name, pin);
    if (this.#store !== undefined) put(this.#unsaved, server, name, pin);
  }
}

function put(
  pins: Map<string, Map<string, string>>,
  server: string,
  name: string,
  pin: string,
): void {
  const ofServer = pins.get(server) ?? new Map<string, string>();
  pins.set(server, ofServer.set(name, pin));
}
