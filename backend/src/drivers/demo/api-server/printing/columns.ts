import type { TableColumn } from '../../../kubernetes/index.js';

type Printed = string | readonly [name: string, description: string, type?: string];

/**
 * What an API server of Kubernetes 1.34 prints of its own kinds after the name, by their plurals, with the
 * first sentence of what its documentation says. A name that begins with + is for `-o wide`.
 */
const PRINTED: Readonly<Record<string, readonly Printed[]>> = {
  configmaps: [['Data', 'Data contains the configuration data.'], 'Age'],
  endpoints: [['Endpoints', 'The set of all endpoints is the union of all subsets.'], 'Age'],
  events: [
    'Last Seen',
    ['Type', 'Type of this event (Normal, Warning), new types could be added in the future'],
    [
      'Reason',
      'This should be a short, machine understandable string that gives the reason for the transition into the object’s current status.',
    ],
    ['Object', 'The object that this event is about.'],
    '+Subobject',
    ['+Source', 'The component reporting this event.'],
    ['Message', 'A human-readable description of the status of this operation.'],
    ['+First Seen', 'The time at which the event was first recorded.'],
    ['+Count', 'The number of times this event has occurred.'],
    '+Name',
  ],
  namespaces: [['Status', 'The status of the namespace'], 'Age'],
  nodes: [
    ['Status', 'The status of the node'],
    ['Roles', 'The roles of the node'],
    'Age',
    ['Version', 'Kubelet Version reported by the node.'],
    ['+Internal-IP', 'List of addresses reachable to the node.'],
    ['+External-IP', 'List of addresses reachable to the node.'],
    ['+OS-Image', 'OS Image reported by the node from /etc/os-release '],
    ['+Kernel-Version', 'Kernel Version reported by the node from ’uname -r’ '],
    ['+Container-Runtime', 'ContainerRuntime Version reported by the node through runtime remote API '],
  ],
  persistentvolumeclaims: [
    ['Status', 'phase represents the current phase of PersistentVolumeClaim.'],
    ['Volume', 'volumeName is the binding reference to the PersistentVolume backing this claim.'],
    ['Capacity', 'capacity represents the actual resources of the underlying volume.'],
    ['Access Modes', 'accessModes contains the actual access modes the volume backing the PVC has.'],
    ['StorageClass', 'StorageClass of the pvc'],
    ['VolumeAttributesClass', 'VolumeAttributesClass of the pvc'],
    'Age',
    ['+VolumeMode', 'volumeMode defines what type of volume is required by the claim.'],
  ],
  persistentvolumes: [
    ['Capacity', 'capacity is the description of the persistent volume’s resources and capacity.'],
    ['Access Modes', 'accessModes contains all ways the volume can be mounted.'],
    [
      'Reclaim Policy',
      'persistentVolumeReclaimPolicy defines what happens to a persistent volume when released from its claim.',
    ],
    ['Status', 'phase indicates if a volume is available, bound to a claim, or released by a claim.'],
    [
      'Claim',
      'claimRef is part of a bi-directional binding between PersistentVolume and PersistentVolumeClaim.',
    ],
    ['StorageClass', 'StorageClass of the pv'],
    ['VolumeAttributesClass', 'VolumeAttributesClass of the pv'],
    [
      'Reason',
      'reason is a brief CamelCase string that describes any failure and is meant for machine parsing and tidy display in the CLI.',
    ],
    'Age',
    [
      '+VolumeMode',
      'volumeMode defines if a volume is intended to be used with a formatted filesystem or to remain in raw block state.',
    ],
  ],
  pods: [
    ['Ready', 'The aggregate readiness state of this pod for accepting traffic.'],
    ['Status', 'The aggregate status of the containers in this pod.'],
    [
      'Restarts',
      'The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.',
    ],
    'Age',
    ['+IP', 'podIP address allocated to the pod.'],
    ['+Node', 'NodeName indicates in which node this pod is scheduled.'],
    '+Nominated Node',
    ['+Readiness Gates', 'If specified, all readiness gates will be evaluated for pod readiness.'],
  ],
  resourcequotas: [
    ['Request', 'Request represents a minimum amount of cpu/memory that a container may consume.'],
    [
      'Limit',
      'Limits control the maximum amount of cpu/memory that a container may use independent of contention on the node.',
    ],
    'Age',
  ],
  secrets: [
    ['Type', 'Used to facilitate programmatic handling of secret data.'],
    ['Data', 'Data contains the secret data.'],
    'Age',
  ],
  serviceaccounts: [
    [
      'Secrets',
      'Secrets is a list of the secrets in the same namespace that pods running using this ServiceAccount are allowed to use.',
    ],
    'Age',
  ],
  services: [
    ['Type', 'type determines how the Service is exposed.'],
    ['Cluster-IP', 'clusterIP is the IP address of the service and is usually assigned randomly.'],
    [
      'External-IP',
      'externalIPs is a list of IP addresses for which nodes in the cluster will also accept traffic for this service.',
    ],
    ['Port(s)', 'The list of ports that are exposed by this service.'],
    'Age',
    ['+Selector', 'Route service traffic to pods with label keys and values matching this selector.'],
  ],
  apiservices: [
    ['Service', 'The reference to the service that hosts this API endpoint.'],
    ['Available', 'Whether this service is available.'],
    'Age',
  ],
  controllerrevisions: [
    ['Controller', 'Controller of the object'],
    ['Revision', 'revision indicates the revision of the state represented by Data.'],
    'Age',
  ],
  daemonsets: [
    [
      'Desired',
      'The total number of nodes that should be running the daemon pod (including nodes correctly running the daemon pod).',
      'integer',
    ],
    [
      'Current',
      'The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod.',
      'integer',
    ],
    [
      'Ready',
      'The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and ready.',
      'integer',
    ],
    ['Up-to-date', 'The total number of nodes that are running updated daemon pod', 'integer'],
    ['Available', '', 'integer'],
    ['Node Selector', 'NodeSelector is a selector which must be true for the pod to fit on a node.'],
    'Age',
    ['+Containers', 'Names of each container in the template.'],
    ['+Images', 'Images referenced by each container in the template.'],
    ['+Selector', 'A label query over pods that are managed by the daemon set.'],
  ],
  deployments: [
    ['Ready', 'Number of the pod with ready state'],
    [
      'Up-to-date',
      'Total number of non-terminating pods targeted by this deployment that have the desired template spec.',
    ],
    [
      'Available',
      'Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.',
    ],
    'Age',
    ['+Containers', 'Names of each container in the template.'],
    ['+Images', 'Images referenced by each container in the template.'],
    ['+Selector', 'Label selector for pods.'],
  ],
  replicasets: [
    ['Desired', 'Replicas is the number of desired pods.', 'integer'],
    ['Current', 'Replicas is the most recently observed number of non-terminating pods.', 'integer'],
    [
      'Ready',
      'The number of non-terminating pods targeted by this ReplicaSet with a Ready Condition.',
      'integer',
    ],
    'Age',
    ['+Containers', 'Names of each container in the template.'],
    ['+Images', 'Images referenced by each container in the template.'],
    ['+Selector', 'Selector is a label query over pods that should match the replica count.'],
  ],
  statefulsets: [
    ['Ready', 'Number of the pod with ready state'],
    'Age',
    ['+Containers', 'Names of each container in the template.'],
    ['+Images', 'Images referenced by each container in the template.'],
  ],
  horizontalpodautoscalers: [
    'Reference',
    'Targets',
    [
      'MinPods',
      'minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down.',
    ],
    [
      'MaxPods',
      'maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up.',
    ],
    [
      'Replicas',
      'currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.',
    ],
    'Age',
  ],
  cronjobs: [
    ['Schedule', 'The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.'],
    [
      'Timezone',
      'The time zone name for the given schedule, see https://en.wikipedia.org/wiki/List_of_tz_database_time_zones.',
    ],
    [
      'Suspend',
      'This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.',
      'boolean',
    ],
    ['Active', 'A list of pointers to currently running jobs.', 'integer'],
    ['Last Schedule', 'Information when was the last time the job was successfully scheduled.'],
    'Age',
    ['+Containers', 'Names of each container in the template.'],
    ['+Images', 'Images referenced by each container in the template.'],
    ['+Selector', 'A label query over pods that should match the pod count.'],
  ],
  jobs: [
    ['Status', 'Status of the job.'],
    ['Completions', 'The number of pods which reached phase Succeeded.'],
    ['Duration', 'Time required to complete the job.'],
    'Age',
    ['+Containers', 'Names of each container in the template.'],
    ['+Images', 'Images referenced by each container in the template.'],
    ['+Selector', 'A label query over pods that should match the pod count.'],
  ],
  leases: [['Holder', 'holderIdentity contains the identity of the holder of a current lease.'], 'Age'],
  endpointslices: [
    ['AddressType', 'addressType specifies the type of address carried by this EndpointSlice.'],
    ['Ports', 'ports specifies the list of network ports exposed by each endpoint in this slice.'],
    ['Endpoints', 'endpoints is a list of unique endpoints in this slice.'],
    'Age',
  ],
  ingressclasses: [
    ['Controller', 'Controller that is responsible for handling this class'],
    ['Parameters', 'A reference to a resource with additional parameters'],
    'Age',
  ],
  ingresses: [
    ['Class', 'The name of the IngressClass resource that should be used for additional configuration'],
    ['Hosts', 'Hosts that incoming requests are matched against before the ingress rule'],
    ['Address', 'Address is a list containing ingress points for the load-balancer'],
    ['Ports', 'Ports of TLS configurations that open'],
    'Age',
  ],
  networkpolicies: [['Pod-Selector', 'Selects the pods to which this NetworkPolicy object applies.'], 'Age'],
  poddisruptionbudgets: [
    ['Min Available', 'The minimum number of pods that must be available.'],
    ['Max Unavailable', 'The maximum number of pods that may be unavailable.'],
    ['Allowed Disruptions', 'Calculated number of pods that may be disrupted at this time.', 'integer'],
    'Age',
  ],
  clusterrolebindings: [
    ['Role', 'RoleRef can only reference a ClusterRole in the global namespace.'],
    'Age',
    ['+Users', 'Users in the clusterRoleBinding'],
    ['+Groups', 'Groups in the clusterRoleBinding'],
    ['+ServiceAccounts', 'ServiceAccounts in the clusterRoleBinding'],
  ],
  rolebindings: [
    [
      'Role',
      'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace.',
    ],
    'Age',
    ['+Users', 'Users in the roleBinding'],
    ['+Groups', 'Groups in the roleBinding'],
    ['+ServiceAccounts', 'ServiceAccounts in the roleBinding'],
  ],
  priorityclasses: [
    ['Value', 'value represents the integer value of this priority class.', 'integer'],
    [
      'Global-Default',
      'globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class.',
      'boolean',
    ],
    'Age',
    ['PreemptionPolicy', 'preemptionPolicy is the Policy for preempting pods with lower priority.'],
  ],
  storageclasses: [
    ['Provisioner', 'provisioner indicates the type of the provisioner.'],
    [
      'ReclaimPolicy',
      'reclaimPolicy controls the reclaimPolicy for dynamically provisioned PersistentVolumes of this storage class.',
    ],
    [
      'VolumeBindingMode',
      'volumeBindingMode indicates how PersistentVolumeClaims should be provisioned and bound.',
    ],
    ['AllowVolumeExpansion', 'allowVolumeExpansion shows whether the storage class allow volume expand.'],
    'Age',
  ],
};

const NAME = column(['Name', 'Name is unique within a namespace.']);
/** Of kinds that nobody wrote a printer for. */
const UNPRINTED: TableColumn[] = [NAME, column(['Created At', '', 'date'])];
const KNOWN = new Map(
  Object.entries(PRINTED).map(([plural, printed]) => {
    const columns = printed.map(column);
    // Events alone put their name last.
    return [plural, columns.some(({ name }) => name === 'Name') ? columns : [NAME, ...columns]];
  }),
);

export function columnsOf(plural: string): TableColumn[] {
  return KNOWN.get(plural) ?? UNPRINTED;
}

function column(printed: Printed): TableColumn {
  const [shown, description = '', type = 'string'] = typeof printed === 'string' ? [printed] : printed;
  const name = shown.replace(/^\+/, '');
  return {
    name,
    type,
    format: name === 'Name' ? 'name' : '',
    description,
    priority: shown.startsWith('+') ? 1 : 0,
  };
}
