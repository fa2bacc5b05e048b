/* SPDX-License-Identifier: Apache-2.0 */
/* Routes, ports, channels and data sources: copied from the engine's table. */
#import <AVFoundation/AVAudioSession.h>
#include <pthread.h>

#import "ObjectMemory.h"
#import "SessionAccess.h"

/* The initializers that make objects of the structures of CSessionAccess.h. */
@interface AVAudioSessionDataSourceDescription (Making)
- (id)initWithSelectable:(const struct session_selectable *)selectable port:(NSString *)uid;
@end

@interface AVAudioSessionPortDescription (Making)
- (id)initWithPort:(const struct session_port *)port;
- (void)addSelectable:(const struct session_selectable *)selectable;
- (BOOL)isInput;
@end

@interface AVAudioSessionChannelDescription (Making)
- (id)initWithIndex:(NSUInteger)index of:(NSUInteger)count port:(AVAudioSessionPortDescription *)port;
@end

/* ---- Data sources ---- */

/* The data source that the program selected at each port. */
static NSMutableDictionary *preferredSources;
static pthread_mutex_t preferredLock = PTHREAD_MUTEX_INITIALIZER;

static void rememberSource(NSNumber *identifier, NSString *port) {
    pthread_mutex_lock(&preferredLock);
    if (!preferredSources) preferredSources = [[NSMutableDictionary alloc] init];
    if (identifier)
        [preferredSources setObject:identifier forKey:port];
    else
        [preferredSources removeObjectForKey:port];
    pthread_mutex_unlock(&preferredLock);
}

static NSNumber *preferredSource(NSString *port) {
    pthread_mutex_lock(&preferredLock);
    NSNumber *identifier = AV_AUTORELEASE(AV_RETAIN([preferredSources objectForKey:port]));
    pthread_mutex_unlock(&preferredLock);
    return identifier;
}

@implementation AVAudioSessionDataSourceDescription

- (id)initWithSelectable:(const struct session_selectable *)selectable port:(NSString *)uid {
    if (!(self = [super init])) return nil;
    _identifier = [[NSNumber alloc] initWithInt:selectable->id];
    _name = AVAudioCopyText(selectable->name);
    _port = [uid copy];
    return self;
}

- (void)dealloc {
    AV_RELEASE(_identifier);
    AV_RELEASE(_name);
    AV_RELEASE(_port);
    AV_SUPER_DEALLOC;
}

- (NSNumber *)dataSourceID {
    return _identifier;
}

- (NSString *)dataSourceName {
    return _name;
}

- (NSString *)location {
    return nil;
}

- (NSString *)orientation {
    NSString *words[] = {@"front", @"back", @"rear", @"top", @"bottom", @"left", @"right"};
    NSString *orientations[] = {AVAudioSessionOrientationFront, AVAudioSessionOrientationBack, AVAudioSessionOrientationBack,
        AVAudioSessionOrientationTop, AVAudioSessionOrientationBottom, AVAudioSessionOrientationLeft,
        AVAudioSessionOrientationRight};
    NSArray *parts =
        [[_name lowercaseString] componentsSeparatedByCharactersInSet:[[NSCharacterSet letterCharacterSet] invertedSet]];
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if ([parts containsObject:words[i]]) return orientations[i];
    return nil;
}

- (NSArray *)supportedPolarPatterns {
    return nil;
}

- (NSString *)selectedPolarPattern {
    return nil;
}

- (NSString *)preferredPolarPattern {
    return nil;
}

- (BOOL)setPreferredPolarPattern:(NSString *)pattern error:(NSError **)outError {
    return AVAudioFinish(pattern ? AVAudioSessionErrorCodeBadParam : 0, outError);
}

- (BOOL)isEqual:(id)object {
    if (![object isKindOfClass:[AVAudioSessionDataSourceDescription class]]) return NO;
    AVAudioSessionDataSourceDescription *other = object;
    return [_identifier isEqual:other->_identifier] && [_name isEqual:other->_name] && [_port isEqual:other->_port];
}

- (NSUInteger)hash {
    return [_name hash];
}

- (NSString *)description {
    return [NSString stringWithFormat:@"%@ (%@)", _name, _identifier];
}

@end

/* ---- Channels ---- */

@implementation AVAudioSessionChannelDescription

- (id)initWithIndex:(NSUInteger)index of:(NSUInteger)count port:(AVAudioSessionPortDescription *)port {
    if (!(self = [super init])) return nil;
    _name = [[NSString alloc] initWithFormat:@"%@ %lu", [port portName], (unsigned long)(index + 1)];
    _port = [[port UID] copy];
    _number = index + 1;
    /* kAudioChannelLabel_Mono, Left, Right, Discrete_0. */
    _label = count == 1 ? 42 : count == 2 ? (unsigned)index + 1 : 1u << 16 | (unsigned)index;
    return self;
}

- (void)dealloc {
    AV_RELEASE(_name);
    AV_RELEASE(_port);
    AV_SUPER_DEALLOC;
}

- (NSString *)channelName {
    return _name;
}

- (NSString *)owningPortUID {
    return _port;
}

- (NSUInteger)channelNumber {
    return _number;
}

- (unsigned)channelLabel {
    return _label;
}

@end

/* ---- Ports ---- */

@implementation AVAudioSessionPortDescription

- (id)initWithPort:(const struct session_port *)port {
    if (!(self = [super init])) return nil;
    _type = AVAudioCopyText(port->type);
    _name = AVAudioCopyText(port->name);
    _uid = AVAudioCopyText(port->uid);
    _device = AVAudioCopyText(port->device);
    _channels = port->channels;
    _isInput = port->is_input;
    return self;
}

- (void)dealloc {
    AV_RELEASE(_type);
    AV_RELEASE(_name);
    AV_RELEASE(_uid);
    AV_RELEASE(_device);
    AV_RELEASE(_sources);
    AV_SUPER_DEALLOC;
}

- (void)addSelectable:(const struct session_selectable *)selectable {
    AVAudioSessionDataSourceDescription *source = [[AVAudioSessionDataSourceDescription alloc] initWithSelectable:selectable
                                                                                                             port:_uid];
    if (!_sources) _sources = [[NSMutableArray alloc] init];
    [_sources addObject:source];
    if (selectable->is_selected) _selected = source;
    AV_RELEASE(source);
}

- (BOOL)isInput {
    return _isInput;
}

- (NSString *)portType {
    return _type;
}

- (NSString *)portName {
    return _name;
}

- (NSString *)UID {
    return _uid;
}

- (NSString *)alsaDevice {
    return _device;
}

- (BOOL)hasHardwareVoiceCallProcessing {
    return NO;
}

- (NSArray *)channels {
    NSMutableArray *channels = [NSMutableArray array];
    for (NSUInteger i = 0; i < _channels; i++) {
        AVAudioSessionChannelDescription *channel = [[AVAudioSessionChannelDescription alloc] initWithIndex:i
                                                                                                         of:_channels
                                                                                                       port:self];
        [channels addObject:channel];
        AV_RELEASE(channel);
    }
    return channels;
}

- (NSArray *)dataSources {
    return _sources;
}

- (AVAudioSessionDataSourceDescription *)selectedDataSource {
    return _selected;
}

- (AVAudioSessionDataSourceDescription *)preferredDataSource {
    NSNumber *identifier = preferredSource(_uid);
    for (NSUInteger i = 0; identifier && i < [_sources count]; i++)
        if ([[[_sources objectAtIndex:i] dataSourceID] isEqual:identifier]) return [_sources objectAtIndex:i];
    return nil;
}

- (BOOL)setPreferredDataSource:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError {
    return [self select:dataSource error:outError];
}

- (BOOL)select:(AVAudioSessionDataSourceDescription *)dataSource error:(NSError **)outError {
    if (!dataSource) {
        rememberSource(nil, _uid);
        return AVAudioFinish(0, outError);
    }
    if (![_sources containsObject:dataSource]) return AVAudioFinish(AVAudioSessionErrorCodeBadParam, outError);
    const struct audiosession_engine *engine = AVAudioEngineTable();
    NSNumber *identifier = [dataSource dataSourceID];
    int32_t result =
        engine ? engine->session_select([_uid UTF8String], _isInput, [identifier intValue]) : AVAudioSessionErrorCodeUnspecified;
    if (result == 0) rememberSource(identifier, _uid);
    return AVAudioFinish(result, outError);
}

- (BOOL)isEqual:(id)object {
    if (![object isKindOfClass:[AVAudioSessionPortDescription class]]) return NO;
    AVAudioSessionPortDescription *other = object;
    return _isInput == other->_isInput && [_type isEqual:other->_type] && [_uid isEqual:other->_uid];
}

- (NSUInteger)hash {
    return [_uid hash];
}

- (NSString *)description {
    return [NSString stringWithFormat:@"%@ (%@, %@)", _name, _type, _uid];
}

@end

/* ---- Visitors ---- */

static void appendPort(NSMutableArray *ports, const struct session_port *port) {
    AVAudioSessionPortDescription *description = [[AVAudioSessionPortDescription alloc] initWithPort:port];
    [ports addObject:description];
    AV_RELEASE(description);
}

/* Two lists, of which a route has both. The port that was visited last is the owner of selectables. */
struct port_lists {
    AV_UNRETAINED NSMutableArray *inputs, *outputs, *last;
};

static void visitPort(void *context, const struct session_port *port) {
    struct port_lists *lists = context;
    lists->last = port->is_input ? lists->inputs : lists->outputs;
    appendPort(lists->last, port);
}

static void visitSelectable(void *context, const struct session_selectable *selectable) {
    struct port_lists *lists = context;
    [[lists->last lastObject] addSelectable:selectable];
}

NSArray *AVAudioCopyPorts(enum session_ports list) {
    const struct audiosession_engine *engine = AVAudioEngineTable();
    NSMutableArray *ports = [[NSMutableArray alloc] init];
    struct port_lists lists = {ports, ports, nil};
    struct session_visitor visitor = {&lists, visitPort, visitSelectable};
    if (engine && engine->session_visit_ports(list, &visitor)) return ports;
    AV_RELEASE(ports);
    return nil;
}

@implementation AVAudioSessionRouteDescription

- (id)init {
    if (!(self = [super init])) return nil;
    _inputs = [[NSMutableArray alloc] init];
    _outputs = [[NSMutableArray alloc] init];
    return self;
}

- (void)dealloc {
    AV_RELEASE(_inputs);
    AV_RELEASE(_outputs);
    AV_SUPER_DEALLOC;
}

- (NSArray *)inputs {
    return _inputs;
}

- (NSArray *)outputs {
    return _outputs;
}

- (BOOL)isEqual:(id)object {
    if (![object isKindOfClass:[AVAudioSessionRouteDescription class]]) return NO;
    AVAudioSessionRouteDescription *other = object;
    return [_inputs isEqual:other->_inputs] && [_outputs isEqual:other->_outputs];
}

- (NSUInteger)hash {
    return [_inputs count] * 31 + [_outputs count];
}

- (NSString *)description {
    return [NSString stringWithFormat:@"inputs: %@, outputs: %@", _inputs, _outputs];
}

- (void)readPortsWith:(bool (*)(void *context, const struct session_visitor *visitor))read context:(void *)context {
    struct port_lists lists = {_inputs, _outputs, nil};
    struct session_visitor visitor = {&lists, visitPort, visitSelectable};
    read(context, &visitor);
}

@end

static bool readRoute(void *context, const struct session_visitor *visitor) {
    (void)context;
    const struct audiosession_engine *engine = AVAudioEngineTable();
    return engine && engine->session_visit_ports(SESSION_ROUTE, visitor);
}

AVAudioSessionRouteDescription *AVAudioCopyRoute(void) {
    AVAudioSessionRouteDescription *route = [[AVAudioSessionRouteDescription alloc] init];
    [route readPortsWith:readRoute context:NULL];
    return route;
}
