/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of audio units that are connected, started and stopped together. A node is a unit in a graph. */
#ifndef AUDIOTOOLBOX_AUGRAPH_H
#define AUDIOTOOLBOX_AUGRAPH_H
#define __AUGraph /* the guard of the platform's header */

#ifndef AUDIOTOOLBOX_AUDIOUNITPROPERTIES_H
#include <AudioUnit/AudioUnitProperties.h>
#endif
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueAUGraph *AUGraph;
typedef SInt32 AUNode;

enum {
    kAUGraphErr_NodeNotFound = -10860,
    kAUGraphErr_InvalidConnection = -10861,        /* the input is connected, or the connection is a cycle */
    kAUGraphErr_OutputNodeErr = -10862,            /* a graph has one output unit, which cannot be removed while it runs */
    kAUGraphErr_CannotDoInCurrentContext = -10863, /* on a thread that renders: another thread changes the graph now */
    kAUGraphErr_InvalidAudioUnit = -10864
};

enum { kAUNodeInteraction_Connection = 1, kAUNodeInteraction_InputCallback = 2 };

typedef struct AudioUnitNodeConnection {
    AUNode sourceNode;
    UInt32 sourceOutputNumber;
    AUNode destNode;
    UInt32 destInputNumber;
} AudioUnitNodeConnection;
typedef AudioUnitNodeConnection AUNodeConnection;

typedef struct AUNodeRenderCallback {
    AUNode destNode;
    AudioUnitElement destInputNumber;
    AURenderCallbackStruct cback;
} AUNodeRenderCallback;

typedef struct AUNodeInteraction {
    UInt32 nodeInteractionType;
    union {
        AUNodeConnection connection;
        AUNodeRenderCallback inputCallback;
    } nodeInteraction;
} AUNodeInteraction;

/* ---- Graphs and nodes ---- */

/* A call waits while another thread changes the graph. A thread that renders cannot wait: there it fails with
   kAUGraphErr_CannotDoInCurrentContext. */

/* Makes a graph without nodes. */
OSStatus NewAUGraph(AUGraph *outGraph);

/* Stops the graph and frees it with its units. */
OSStatus DisposeAUGraph(AUGraph inGraph);

/* Adds a node. Its unit is made by AUGraphOpen, in an open graph by this call. */
OSStatus AUGraphAddNode(AUGraph inGraph, const AudioComponentDescription *inDescription, AUNode *outNode);

/* Removes a node with its connections, but not the output of a running graph. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphRemoveNode(AUGraph inGraph, AUNode inNode);

/* Writes the number of nodes. */
OSStatus AUGraphGetNodeCount(AUGraph inGraph, UInt32 *outNumberOfNodes);

/* Writes the node with this index. */
OSStatus AUGraphGetIndNode(AUGraph inGraph, UInt32 inIndex, AUNode *outNode);

/* Writes a node's description and unit. Either pointer may be NULL. The unit is NULL before AUGraphOpen. */
OSStatus AUGraphNodeInfo(AUGraph inGraph, AUNode inNode, AudioComponentDescription *outDescription, AudioUnit *outAudioUnit);

/* ---- Connections ---- */

/* Connects an output to an input, which gets the format of the output. Until the initialization, a format that is set at one end
   applies to both; then neither can change. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphConnectNodeInput(
    AUGraph inGraph, AUNode inSourceNode, UInt32 inSourceOutputNumber, AUNode inDestNode, UInt32 inDestInputNumber);

/* Makes a callback the source of an input. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphSetNodeInputCallback(
    AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber, const AURenderCallbackStruct *inInputCallback);

/* Removes the connection or callback of an input. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphDisconnectNodeInput(AUGraph inGraph, AUNode inDestNode, UInt32 inDestInputNumber);

/* Removes all connections and callbacks. A running graph changes with AUGraphUpdate. */
OSStatus AUGraphClearConnections(AUGraph inGraph);

/* Writes the number of connections and callbacks. */
OSStatus AUGraphGetNumberOfInteractions(AUGraph inGraph, UInt32 *outNumInteractions);

/* Writes the connection or callback with this index. */
OSStatus AUGraphGetInteractionInfo(AUGraph inGraph, UInt32 inInteractionIndex, AUNodeInteraction *outInteraction);

/* Writes the number of connections and callbacks of one node. */
OSStatus AUGraphCountNodeInteractions(AUGraph inGraph, AUNode inNode, UInt32 *outNumInteractions);

/* Writes the connections and callbacks of one node. ioNumInteractions: room on entry, written on return. */
OSStatus AUGraphGetNodeInteractions(
    AUGraph inGraph, AUNode inNode, UInt32 *ioNumInteractions, AUNodeInteraction *outInteractions);

/* Applies the changes since the last update, without a click, and writes 1. When it fails, the graph plays as
   before, and the changes stay pending for the next update. */
OSStatus AUGraphUpdate(AUGraph inGraph, Boolean *outIsUpdated);

/* ---- States ---- */

/* Makes the units. Their properties can be set from here on. */
OSStatus AUGraphOpen(AUGraph inGraph);

/* Stops and uninitializes the graph, and frees the units. The nodes stay. */
OSStatus AUGraphClose(AUGraph inGraph);

/* Connects and initializes the units. */
OSStatus AUGraphInitialize(AUGraph inGraph);

/* Stops the graph and uninitializes the units. */
OSStatus AUGraphUninitialize(AUGraph inGraph);

/* Starts the output unit. After two starts, the second AUGraphStop stops the graph. */
OSStatus AUGraphStart(AUGraph inGraph);

/* Stops the output unit. No callback runs after the return. */
OSStatus AUGraphStop(AUGraph inGraph);

/* Writes whether the units exist. */
OSStatus AUGraphIsOpen(AUGraph inGraph, Boolean *outIsOpen);

/* Writes whether the units are initialized. */
OSStatus AUGraphIsInitialized(AUGraph inGraph, Boolean *outIsInitialized);

/* Writes whether the output unit is running. */
OSStatus AUGraphIsRunning(AUGraph inGraph, Boolean *outIsRunning);

/* Writes the time of rendering divided by the time of the slice, on average. */
OSStatus AUGraphGetCPULoad(AUGraph inGraph, Float32 *outAverageCPULoad);

/* Writes the maximum of this quotient within the last second. */
OSStatus AUGraphGetMaxCPULoad(AUGraph inGraph, Float32 *outMaxLoad);

/* Registers a procedure that is called before and after each slice of the output unit. */
OSStatus AUGraphAddRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *inRefCon);

/* Removes the procedure with this data. */
OSStatus AUGraphRemoveRenderNotify(AUGraph inGraph, AURenderCallback inCallback, void *inRefCon);

/* ---- Debugging ---- */

/* Prints the description of a graph with its nodes, of a unit, a converter or a file to standard error. */
void CAShow(void *inObject);

/* Prints the same description to a file. */
void CAShowFile(void *inObject, FILE *inFile);

#ifdef __cplusplus
}
#endif

#endif
