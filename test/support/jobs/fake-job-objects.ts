import type {
  CreationPeriod,
  JobObject,
  JobObjects,
  ObjectPurpose,
} from '../../../backend/src/modules/jobs/index.js';

/** JobObjects in memory. */
export class FakeJobObjects implements JobObjects {
  period: CreationPeriod | null = null;
  private readonly objects: { purpose: ObjectPurpose; object: JobObject }[] = [];

  /** For a job that created these containers. */
  static withCreated(containers: readonly { id: string; name: string }[]): FakeJobObjects {
    const objects = new FakeJobObjects();
    objects.record(
      'create',
      containers.map(({ id, name }) => ({ type: 'container', id, node: name })),
    );
    return objects;
  }

  record(purpose: ObjectPurpose, objects: readonly JobObject[]): void {
    for (const object of objects) {
      const known = this.recorded(purpose).some(({ type, id }) => type === object.type && id === object.id);
      if (!known) this.objects.push({ purpose, object });
    }
  }

  recorded(purpose: ObjectPurpose): JobObject[] {
    return this.objects.filter((entry) => entry.purpose === purpose).map(({ object }) => object);
  }

  beginCreation(clockOffsetMs: number): void {
    this.period = { from: Date.now(), to: Infinity, clockOffsetMs };
  }

  endCreation(): void {
    if (this.period) this.period = { ...this.period, to: Date.now() };
  }

  creation(): CreationPeriod | null {
    return this.period;
  }

  disown(): void {
    this.period = null;
    const kept = this.objects.filter(({ purpose }) => purpose !== 'create');
    this.objects.splice(0, this.objects.length, ...kept);
  }
}
