import type { Clock } from '@holdfast/core';
import type { ObserveConfig } from '../config/gateway-config.ts';
import type { Redactor } from '../redact/redactor.ts';
import { Captures } from './captures.ts';
import { CircuitTimelines } from './circuit-timelines.ts';
import type { EventSource } from './gateway-event.ts';
import { Observer } from './observer.ts';
import { Reporter } from './reporter.ts';
import { ToolStatistics } from './tool-statistics.ts';
import { Traffic } from './traffic.ts';
import { TurnStatistics } from './turn-statistics.ts';

export interface ObservationOptions {
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** What the configuration in force says. */
  readonly settings: () => ObserveConfig;
}

/** All by which one gateway is watched. */
export class Observation {
  readonly observer: Observer;
  readonly timelines: CircuitTimelines = new CircuitTimelines();
  readonly captures: Captures;
  readonly traffic: Traffic;
  readonly tools: ToolStatistics = new ToolStatistics();
  readonly turns: TurnStatistics;
  readonly #redactor: Redactor;

  constructor({ clock, redactor, settings }: ObservationOptions) {
    this.observer = new Observer({ clock });
    this.captures = new Captures({ settings });
    this.traffic = new Traffic(clock);
    this.turns = new TurnStatistics(this.captures);
    this.#redactor = redactor;
    this.observer.subscribe((observed) => {
      this.traffic.take(observed);
      this.tools.take(observed);
      this.turns.take(observed);
    });
  }

  /** For one part of the gateway to tell what happens. */
  reporter(source: EventSource): Reporter {
    const { observer, timelines } = this;
    return new Reporter({ observer, source, redactor: this.#redactor, timelines });
  }
}
