import { Injectable } from '@nestjs/common';
import { DomainError, hasCode, invalidField } from '../../core/errors/index.js';
import type { KubernetesObject, ResourceApi, TypeName } from '../../drivers/kubernetes/index.js';
import { NodeInventory } from '../clusters/index.js';
import {
  findPodPort,
  ForwardsService,
  type ForwardPlural,
  type ForwardProtocol,
  type ForwardTo,
} from '../forwards/index.js';
import {
  ChangeJournal,
  findTarget,
  presentReference,
  warningsOf,
  type Changed,
  type ChangeTarget,
  type ObjectAddress,
} from '../resource-changes/index.js';
import { ClusterResources, describeObject, isExposable, readableKind, yaml } from '../resources/index.js';
import type { ExposeDto, ExposedDto, ExposedObjectDto } from './expose.dto.js';
import {
  chooseIngress,
  classOf,
  classProblem,
  ingressManifest,
  isLocalHost,
  type ChosenIngress,
  type IngressTarget,
} from './exposed-ingress.js';
import { choosePort, type ExposedPort } from './exposed-ports.js';
import { chooseService, selectorOf, serviceManifest, type ChosenService } from './exposed-service.js';
import { findEntry } from './published-entry.js';

const SERVICES = { group: '', version: 'v1', plural: 'services', kind: 'Service' } as const;
const INGRESSES = {
  group: 'networking.k8s.io',
  version: 'v1',
  plural: 'ingresses',
  kind: 'Ingress',
} as const;
const CLASSES = { group: 'networking.k8s.io', version: 'v1', plural: 'ingressclasses' } as const;

type Type = typeof SERVICES | typeof INGRESSES;

/** One object of a plan. */
interface PlannedObject {
  type: Type;
  /** Null if it is to be created from `manifest`. */
  stored: KubernetesObject | null;
  manifest: KubernetesObject;
}

/** The Service and the Ingress for the workload, before anything is created. */
interface Plan {
  namespace: string;
  port: ExposedPort;
  protocol: ForwardProtocol;
  service: ChosenService;
  ingressClass: KubernetesObject | undefined;
  ingress: ChosenIngress | null;
  objects: PlannedObject[];
  warnings: string[];
}

interface ExposeOptions {
  dryRun: boolean;
  /** The `User-Agent` of the browser that opens the link. */
  browser?: string | undefined;
}

type Link = Pick<ExposedDto, 'way' | 'link' | 'local_address' | 'access'> & { warnings: string[] };

const NO_LINK: Link = { way: null, link: null, local_address: null, access: null, warnings: [] };

@Injectable()
export class ExposeService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly forwards: ForwardsService,
    private readonly inventory: NodeInventory,
    private readonly journal: ChangeJournal,
  ) {}

  /**
   * Creates what leads to a workload from this machine, unless it exists, and finds or opens a way there.
   * @throws DomainError `resource_refused` for other kinds and for Pods without labels, `invalid_input` for a port, name or
   * host that cannot be used
   */
  async expose(
    address: ObjectAddress,
    request: ExposeDto,
    { dryRun, browser }: ExposeOptions,
  ): Promise<ExposedDto> {
    const target = await findTarget(this.resources, address);
    const { cluster, reference, type } = target;
    if (!isExposable(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} cannot be exposed. Deployments, StatefulSets, DaemonSets, ReplicaSets and Pods can.`,
      );
    }
    const what = describeObject(type, reference);
    const plan = await planFor(target, request);
    const work = async (): Promise<Changed<ExposedDto>> => {
      const { objects, warnings } = await create(target, plan, dryRun);
      const link = await this.link(target, plan, { dryRun, browser });
      const fresh = objects.filter(({ outcome }) => outcome === 'created');
      const created = fresh
        .map(({ kind, namespace, name }) => `${kind} ${namespace ?? ''}/${name}`)
        .join(' and ');
      const { port, protocol, service, ingressClass, ingress } = plan;
      return {
        result: {
          objects,
          port: port.name ?? String(port.number),
          service_port: service.port.number,
          protocol: port.transport === 'TCP' ? protocol : (port.transport.toLowerCase() as 'udp' | 'sctp'),
          ingress_class: ingressClass?.metadata.name ?? null,
          host: ingress?.host ?? null,
          ...link,
          message: created === '' ? 'It is already exposed.' : `Created ${created}.`,
          warnings: [...warningsOf(reference), ...plan.warnings, ...warnings, ...link.warnings],
          dry_run: dryRun,
        },
        message: created === '' ? null : `Exposed ${what}: created ${created}.`,
        diff: { before: null, after: fresh.map((object) => object.yaml).join('---\n') },
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      { kind: 'resource-expose', cluster, reference, failure: `could not expose ${what}` },
      work,
    );
  }

  private async link(target: ChangeTarget, plan: Plan, options: ExposeOptions): Promise<Link> {
    const { transport } = plan.port;
    if (transport !== 'TCP') {
      const warning = `Port-forwards and browsers use TCP, so there is no link to a ${transport} port.`;
      return { ...NO_LINK, warnings: [warning] };
    }
    const published = await this.publishedLink(target, plan);
    const found = published.way === null ? await this.forward(target, plan, options) : published;
    const notReady = options.dryRun ? [] : await readiness(target.api, plan);
    return { ...found, warnings: [...published.warnings, ...found.warnings, ...notReady].filter(isFirst) };
  }

  /** Through a published port of a node, if an ingress controller listens on one. */
  private async publishedLink({ api, cluster }: ChangeTarget, plan: Plan): Promise<Link> {
    const { ingress, ingressClass } = plan;
    if (!ingress || !ingressClass) return NO_LINK;
    const { host } = ingress;
    if (!isLocalHost(host)) {
      return { ...NO_LINK, warnings: [`Slipway does not know whether ${host} leads to this machine.`] };
    }
    const engine = (await this.inventory.read()).find(({ runtime }) => runtime === cluster.runtime);
    const nodes = (engine?.nodes ?? []).filter((node) => node.cluster === cluster.name);
    const entry = await findEntry(api, ingressClass, nodes);
    if (!entry) {
      const warning = `No published port of the nodes leads to the ingress controller ${ingressClass.metadata.name}, so the link does not use the Ingress.`;
      return { ...NO_LINK, warnings: [warning] };
    }
    const { hostPort, isLoopback } = entry;
    return {
      ...NO_LINK,
      way: 'published_port',
      link: `http://${host}${hostPort === 80 ? '' : `:${hostPort}`}/`,
      access: isLoopback
        ? 'Every user and program of this machine can open it.'
        : `Every machine that can connect to port ${hostPort} of this one can open it.`,
    };
  }

  private async forward(
    { cluster }: ChangeTarget,
    plan: Plan,
    { dryRun, browser }: ExposeOptions,
  ): Promise<Link> {
    if (dryRun) return { ...NO_LINK, way: 'forward' };
    const { name, runtime } = cluster;
    try {
      const { url, local_address, notice } = await this.forwards.start(
        { name, runtime },
        { ...servicePortOf(plan), protocol: plan.protocol },
        browser,
      );
      const admits =
        url === null
          ? 'A client on this machine can connect to the address.'
          : 'The link admits one browser, once, within a minute. Open it again in Port-forwards.';
      return {
        ...NO_LINK,
        way: 'forward',
        link: url,
        local_address,
        access: notice === null ? admits : `${admits} ${notice}`,
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...NO_LINK, warnings: [`Could not start a port-forward. ${error.message}`] };
    }
  }
}

async function planFor({ api, reference, type }: ChangeTarget, request: ExposeDto): Promise<Plan> {
  const plural = type.plural as ForwardPlural;
  const namespace = reference.namespace ?? '';
  const what = describeObject(type, reference);
  const [stored, services] = await Promise.all([api.read(reference), api.list(SERVICES, { namespace })]);
  const { selector, warnings } = selectorOf(plural, stored, what);
  const port = choosePort(plural, stored, { port: request.port, what });
  const serviceTarget = { selector, port, servicePort: request.service_port };
  const service = chooseService(services, serviceTarget, { wanted: request.name, object: reference.name });
  const plan: Plan = {
    namespace,
    port,
    protocol: request.protocol ?? port.protocol,
    service,
    ingressClass: undefined,
    ingress: null,
    objects: [
      {
        type: SERVICES,
        stored: service.stored,
        manifest: serviceManifest({ namespace, name: service.name }, serviceTarget, request.protocol),
      },
    ],
    warnings,
  };
  return await withIngress(api, plan, request);
}

async function withIngress(api: ResourceApi, plan: Plan, request: ExposeDto): Promise<Plan> {
  const { namespace, service, port, protocol } = plan;
  const isWanted = request.ingress ?? request.host !== undefined;
  const classes = await listServed(api, CLASSES);
  const ingressClass = classOf(classes);
  const isHttp = port.transport === 'TCP' && protocol === 'http';
  if (isWanted && !isHttp) {
    throw invalidField('ingress', 'must be false: an Ingress needs a port that speaks HTTP');
  }
  if (isWanted && !ingressClass) throw invalidField('ingress', `must be false: ${classProblem(classes)}`);
  if (request.ingress === false || !isHttp || !ingressClass) return { ...plan, ingressClass };
  const className = ingressClass.metadata.name;
  const target: IngressTarget = { namespace, service: service.name, port: service.port, className };
  const ingress = chooseIngress(await listServed(api, INGRESSES), target, request.host);
  if (ingress) {
    const planned = { type: INGRESSES, stored: ingress.stored, manifest: ingressManifest(target, ingress) };
    return { ...plan, ingressClass, ingress, objects: [...plan.objects, planned] };
  }
  const problem = `Ingress ${namespace}/${service.name} already exists and leads elsewhere`;
  if (isWanted) throw invalidField('name', `must be another: ${problem}`);
  return { ...plan, ingressClass, warnings: [...plan.warnings, `Created no Ingress: ${problem}.`] };
}

/** Objects of all namespaces; none if the cluster does not serve the type. */
async function listServed(api: ResourceApi, type: TypeName): Promise<KubernetesObject[]> {
  try {
    return await api.list(type);
  } catch (error) {
    if (hasCode(error, 'resource_type_not_found')) return [];
    throw error;
  }
}

async function create(
  { api }: ChangeTarget,
  { namespace, objects }: Plan,
  dryRun: boolean,
): Promise<{ objects: ExposedObjectDto[]; warnings: string[] }> {
  const planned = objects.map(({ type: { kind, ...type }, stored, manifest }) => {
    const { name } = (stored ?? manifest).metadata;
    return { kind, reference: { ...type, namespace, name }, stored, manifest };
  });
  const warnings: string[] = [];
  // All are checked before the first is created.
  for (const isCheck of dryRun ? [true] : [true, false]) {
    for (const { reference, stored, manifest } of planned) {
      const written = stored ? null : await api.apply(reference, manifest, { dryRun: isCheck });
      if (isCheck) warnings.push(...(written?.warnings ?? []));
    }
  }
  const exposed = await Promise.all(
    planned.map(async ({ kind, reference, stored, manifest }) => {
      // The manifest says what leads where. What the cluster adds hides that.
      const { after } = await yaml.diffObjects(null, stored ?? manifest);
      const outcome = stored ? ('unchanged' as const) : ('created' as const);
      return { ...presentReference({ kind }, reference), outcome, yaml: after };
    }),
  );
  return { objects: exposed, warnings };
}

/** The target of a port-forward to the Service. */
function servicePortOf({ namespace, service }: Plan): ForwardTo {
  return { plural: 'services', namespace, object: service.name, port: String(service.port.number) };
}

/** Why the link does not work yet. */
async function readiness(api: ResourceApi, plan: Plan): Promise<string[]> {
  try {
    await findPodPort(api, servicePortOf(plan));
    return [];
  } catch (error) {
    if (!hasCode(error, 'resource_refused')) throw error;
    return [`${error.message} The link works once one is ready.`];
  }
}

function isFirst(warning: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(warning) === index;
}
